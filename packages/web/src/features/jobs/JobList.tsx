import type { Job } from '@digger/contract'
import { Icon } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import css from './Jobs.module.css'
import { countText, isRunning, stateText } from './jobText.ts'

/** The last jobs; a press opens one. */
export function JobList({ jobs, onOpen }: { jobs: readonly Job[]; onOpen: (jobId: number) => void }) {
  return (
    <Panel label="최근 작업">
      <h2>최근 작업</h2>
      {jobs.length === 0 && (
        <p className={css['note']}>아직 한 작업이 없습니다. 위에서 할 일을 고르면 시작하기 전에 먼저 보여 드립니다.</p>
      )}
      <ul className={css['jobs']}>
        {jobs.map((job) => (
          <li key={job.id}>
            <button type="button" onClick={() => onOpen(job.id)}>
              <span className={css['title']}>
                <b>{job.name}</b>
                <span data-running={isRunning(job)} data-failed={!isRunning(job) && job.counts.failed > 0}>
                  {stateText(job)}
                </span>
              </span>
              <span className={css['note']}>
                {countText(job)} · {job.by ?? '서버'} · <time dateTime={job.at}>{stamp(job.at)}</time>
              </span>
              <Icon name="next" size={18} />
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
