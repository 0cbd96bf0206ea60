import { IconButton } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Bar } from '../../components/Progress.tsx'
import { RunningJob, useRunningJob } from '../../features/jobs/RunningJob.tsx'
import { useServerProgress } from '../../live/useLive.ts'
import css from './BulkPanel.module.css'
import type { BulkState } from './useBulk.ts'

/** The task of this page, and what goes on on the server: once that is shown, it is shown once. */
export function BulkHead({ state, onClose }: { state: BulkState | null; onClose: () => void }) {
  const jobId = useRunningJob()
  return (
    <>
      {state && !(state.running && jobId !== null) && <BulkPanel state={state} onClose={onClose} />}
      <RunningJob jobId={jobId} />
    </>
  )
}

/** How far a bulk task is, then what became of each user. */
function BulkPanel({ state, onClose }: { state: BulkState; onClose: () => void }) {
  const server = useServerProgress()
  const done = state.running ? Math.max(server?.done ?? 0, state.results.length) : state.results.length
  return (
    <Panel label={state.name}>
      <div className={css['head']}>
        <Bar label={state.name} done={done} total={(state.running && server?.total) || state.total} />
        {!state.running && <IconButton icon="close" label="결과 닫기" onClick={onClose} />}
      </div>
      <ul className={css['results']}>
        {state.results.map(({ userId, email, ok, message }) => (
          <li key={userId} data-ok={ok}>
            <Icon name={ok ? 'check' : 'warn'} size={18} />
            <b>{email}</b> <span>{ok ? message || '완료' : message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
