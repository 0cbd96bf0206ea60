import type { BulkKind } from '@digger/contract'
import { Button } from '../../components/Button.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useTexts } from '../../url/query.ts'
import { ME } from '../../url/user.ts'
import css from './Jobs.module.css'
import { JobList } from './JobList.tsx'
import { JobPanel } from './JobPanel.tsx'
import { JobPreview } from './JobPreview.tsx'
import { useJobs, useRefreshJobs } from './jobQueries.ts'
import { BULK_KINDS, isRunning } from './jobText.ts'

/** Work for all users: what it would do, how far it is, what became of each, and what was done before. */
export function JobsPage() {
  const query = useJobs()
  const refresh = useRefreshJobs()
  const [text, setTexts] = useTexts()
  const chosen = BULK_KINDS.find(([kind]) => kind === text('kind'))
  const open = (jobId: number) => {
    setTexts({ kind: '', job: String(jobId) })
    void refresh()
  }
  return (
    <Page title="Admin Job" name="작업" homeHref={`/${ME}/admin/user`}>
      <Choice chosen={chosen?.[0]} onChoose={(kind) => setTexts({ kind, job: '' })} />
      {chosen && (
        <JobPreview
          key={chosen[0]}
          kind={chosen[0]}
          name={chosen[1]}
          onStarted={open}
          onClose={() => setTexts({ kind: '' })}
        />
      )}
      <QueryView query={query} rows={3}>
        {(jobs) => {
          // What is going on is found again after a reload, whoever began it.
          const running = jobs.find((job) => isRunning(job) && job.kind !== 'dayClose')
          const shown = Number(text('job')) || (chosen ? undefined : running?.id)
          return (
            <>
              {shown !== undefined && (
                <JobPanel
                  key={shown}
                  jobId={shown}
                  onRetry={open}
                  {...(text('job') !== '' && { onClose: () => setTexts({ job: '' }) })}
                />
              )}
              <JobList jobs={jobs} onOpen={open} />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}

function Choice({ chosen, onChoose }: { chosen: BulkKind | undefined; onChoose: (kind: BulkKind) => void }) {
  return (
    <Panel label="할 일 고르기">
      <h2>모든 사용자에게 할 일</h2>
      <p className={css['buttons']}>
        {BULK_KINDS.map(([kind, name]) => (
          <Button key={kind} aria-pressed={chosen === kind} onClick={() => onChoose(kind)}>
            {name}
          </Button>
        ))}
      </p>
    </Panel>
  )
}
