import type { Job, JobPage } from '@digger/contract'
import { useState } from 'react'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { Icon, type IconName } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Bar } from '../../components/Progress.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { Elapsed } from '../../work/WorkLine.tsx'
import css from './Jobs.module.css'
import { useJob, useRefreshJobs } from './jobQueries.ts'
import { countText, endedOf, isRunning, leftOut, stateText } from './jobText.ts'

interface Props {
  jobId: number
  onClose?: () => void
  /** The users who were left out are tried again in another job. */
  onRetry?: (jobId: number) => void
}

/** One job: how far it is, the way to stop it, and what became of each user. */
export function JobPanel({ jobId, onClose, onRetry }: Props) {
  const [pages, setPages] = useState(1)
  const query = useJob(jobId, pages)
  return (
    <Panel label={`작업 ${jobId}`}>
      <QueryView query={query} rows={3}>
        {(job) => (
          <>
            <Head job={job} onClose={onClose} />
            <Actions job={job} onRetry={onRetry} />
            <Items job={job} onMore={() => setPages(pages + 1)} />
          </>
        )}
      </QueryView>
    </Panel>
  )
}

function Head({ job, onClose }: { job: Job; onClose: (() => void) | undefined }) {
  return (
    <>
      <div className={css['head']}>
        <h2>
          {job.name} <span data-running={isRunning(job)}>{stateText(job)}</span>
        </h2>
        {onClose && <IconButton icon="close" label="작업 닫기" onClick={onClose} />}
      </div>
      <Bar label={job.name} done={endedOf(job)} total={job.total} />
      <p className={css['note']}>
        {countText(job)} · {job.by ?? '서버'} · <time dateTime={job.at}>{stamp(job.at)}</time>
      </p>
      {isRunning(job) && <Elapsed startedAt={Date.parse(job.at)} advice="bulk" />}
    </>
  )
}

function Actions({ job, onRetry }: { job: Job; onRetry: Props['onRetry'] }) {
  const refresh = useRefreshJobs()
  const params = { jobId: String(job.id) }
  const stop = async () => {
    const sure = await ask.confirm(`${job.name} 작업을 멈출까요?`, {
      note: '아직 시작하지 않은 사용자는 하지 않습니다. 이미 하고 있는 사용자는 끝까지 합니다.',
      yes: '멈추기',
      danger: true,
    })
    if (sure && (await send('cancelJob', { params })) !== null) await refresh()
  }
  const retry = async () => {
    const begun = await send('retryJob', { params })
    if (begun === null) return
    await refresh()
    onRetry?.(begun.jobId)
  }
  const left = leftOut(job)
  const canRetry = onRetry !== undefined && !isRunning(job) && left > 0 && job.kind !== 'dayClose'
  if (isRunning(job) && job.cancelledAt === null)
    return (
      <p className={css['buttons']}>
        <Button look="danger" onClick={() => void stop()}>
          멈추기
        </Button>
      </p>
    )
  if (!canRetry) return null
  return (
    <p className={css['buttons']}>
      <Button onClick={() => void retry()}>안 된 {left}명만 다시 하기</Button>
    </p>
  )
}

const ICONS: Readonly<Record<JobPage['items'][number]['state'], IconName>> = {
  done: 'check',
  failed: 'warn',
  cancelled: 'minus',
  running: 'play',
  waiting: 'more',
}

const UNTOLD = { running: '하고 있습니다.', waiting: '차례를 기다립니다.' } as const

function Items({ job, onMore }: { job: JobPage; onMore: () => void }) {
  const { items, total } = job
  return (
    <>
      <ul className={css['items']} aria-label="사용자별 결과">
        {items.map(({ userId, email, state, message }) => (
          <li key={userId} data-state={state}>
            <Icon name={ICONS[state]} size={18} />
            <b>{email}</b>
            <span>{message ?? (state === 'running' ? UNTOLD.running : UNTOLD.waiting)}</span>
          </li>
        ))}
      </ul>
      {items.length < total && items.length < 500 && (
        <Button look="quiet" onClick={onMore}>
          더 보기 ({items.length} / {total})
        </Button>
      )}
    </>
  )
}
