import { IconButton } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Bar } from '../../components/Progress.tsx'
import { RunningJob, useRunningJob } from '../../features/jobs/RunningJob.tsx'
import { useServerProgress } from '../../live/useLive.ts'
import { Elapsed } from '../../work/WorkLine.tsx'
import css from './BulkPanel.module.css'
import { outcomeOf, type BulkState } from './bulkState.ts'

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
  const { name, running, results, startedAt } = state
  const done = running ? Math.max(server?.done ?? 0, results.length) : results.length
  // What failed is what one came for.
  const lines = running ? results : [...results.filter(({ ok }) => !ok), ...results.filter(({ ok }) => ok)]
  return (
    <Panel label={name}>
      <div className={css['head']}>
        <Bar label={name} done={done} total={(running && server?.total) || state.total} />
        {!running && <IconButton icon="close" label="결과 닫기" onClick={onClose} />}
      </div>
      {running ? <Elapsed startedAt={startedAt} advice="bulk" /> : <Ended state={state} />}
      <ul className={css['results']}>
        {lines.map(({ userId, email, ok, message }) => (
          <li key={userId} data-ok={ok}>
            <Icon name={ok ? 'check' : 'warn'} size={18} />
            <b>{email}</b> <span>{ok ? message || '완료' : message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Ended({ state: { name, results } }: { state: BulkState }) {
  const { ok, title, text } = outcomeOf(name, results)
  return <p className={css['ended']}>{ok ? text : title}</p>
}
