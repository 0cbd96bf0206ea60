import type { ServerState, WorkerState } from '@digger/contract'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Page } from '../../components/Page.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { QueryView, Stale } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { STOP_LABELS } from '../../stops/stops.ts'
import { ME } from '../../url/user.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { MoveList } from './MoveList.tsx'
import { usePutServer, useServer } from './serverQuery.ts'
import { WorkerList } from './WorkerList.tsx'
import { ROLE_NAMES } from './workerText.ts'
import css from './Workers.module.css'

/** The processes that run Digger: who has how many accounts, who took them when and why, and the way to empty one. */
export function ServerPage() {
  const { query, isLate } = useServer()
  const put = usePutServer()
  const drain = async (worker: WorkerState) => {
    if (!(await isSure(worker))) return
    const state = await send('drainWorker', { params: { worker: worker.id }, body: { draining: !worker.draining } })
    if (state !== null) put(state)
  }
  return (
    <Page title="Admin Server" name="서버" homeHref={`/${ME}/admin/user`} wide>
      {isLate && (
        <Stale since={query.dataUpdatedAt} message="서버가 답하지 않습니다." onRetry={() => void query.refetch()} />
      )}
      <QueryView query={query} rows={3}>
        {(server) => <Server server={server} onDrain={(worker) => void drain(worker)} />}
      </QueryView>
      <HistoryPanel />
    </Page>
  )
}

async function isSure({ id, shards, draining }: WorkerState): Promise<boolean> {
  if (draining)
    return ask.confirm(`${id} 워커에 다시 맡길까요?`, {
      note: '제 몫의 계좌를 다른 워커에서 넘겨받습니다. 계좌마다 몇 초씩 멈췄다가 이어집니다.',
      yes: '다시 맡기기',
    })
  return ask.confirm(`${id} 워커를 비울까요?`, {
    note: `계좌 묶음 ${shards}개를 다른 워커가 넘겨받습니다. 계좌마다 몇 초씩 멈췄다가 이어지고, 이 워커는 다시 맡길 때까지 쉽니다.`,
    yes: '비우기',
    danger: true,
  })
}

interface Props {
  server: ServerState
  onDrain: (worker: WorkerState) => void
}

export function Server({ server, onDrain }: Props) {
  const { workers, unowned, moves } = server
  if (server.role === 'all') return <Single server={server} />
  return (
    <>
      {unowned > 0 && (
        <output className={css['warning']}>
          <strong>맡은 워커가 없는 계좌 묶음이 {unowned}개 있습니다.</strong> 그 계좌들은 매매하지 않습니다. 몇 초
          지나도 그대로면 워커를 켜 주세요.
        </output>
      )}
      <Self server={server} />
      <WorkerList workers={workers} self={server.self.worker} onDrain={onDrain} />
      <MoveList moves={moves} />
    </>
  )
}

function Single({ server }: Pick<Props, 'server'>) {
  return (
    <>
      <p className={css['note']}>
        서버 한 대가 모든 계좌를 맡고 있습니다. 나눠 맡을 워커가 없어 비우거나 옮길 것이 없습니다.
      </p>
      <Self server={server} />
    </>
  )
}

function Self({ server: { role, self, stop } }: Pick<Props, 'server'>) {
  return (
    <Panel label="이 화면을 보낸 서버">
      <h2>이 화면을 보낸 서버</h2>
      <Facts
        facts={[
          ['역할', ROLE_NAMES[role]],
          ['컴퓨터', self.host],
          ['버전', self.version],
          ['켜진 때', stamp(self.since)],
          ['전체 멈춤', STOP_LABELS[stop.is]],
        ]}
      />
      {stop.why !== null && <p className={css['note']}>{stop.why}</p>}
    </Panel>
  )
}
