import type { WorkerState } from '@digger/contract'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Card.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Table } from '../../components/Table.tsx'
import { stamp } from '../../format/time.ts'
import { canBeDrained, leaseText, STATE_NAMES, stateOf } from './workerText.ts'
import css from './Workers.module.css'

interface Props {
  workers: readonly WorkerState[]
  /** The one that answers, where it is a worker. */
  self: string | null
  onDrain: (worker: WorkerState) => void
}

/** Cards on phones, a table on wide screens; the style shows one of them. */
export function WorkerList(props: Props) {
  if (props.workers.length === 0)
    return (
      <Panel label="워커">
        <h2>워커</h2>
        <p className={css['note']}>켜져 있는 워커가 없습니다. 워커를 켜면 계좌를 맡아 매매를 시작합니다.</p>
      </Panel>
    )
  return (
    <section aria-label="워커">
      <div className={css['cards']}>
        {props.workers.map((worker) => (
          <WorkerCard key={worker.id} worker={worker} {...props} />
        ))}
      </div>
      <div className={css['table']}>
        <WorkerTable {...props} />
      </div>
    </section>
  )
}

function WorkerCard({ worker, workers, self, onDrain }: Props & { worker: WorkerState }) {
  return (
    <Card label={`워커 ${worker.id}`} className={css['card']}>
      <p className={css['head']}>
        <Name worker={worker} self={self} />
        <StateName worker={worker} />
      </p>
      <Facts
        facts={[
          ['계좌 묶음', `${worker.shards}개`],
          ['마지막 응답', leaseText(worker)],
          ['컴퓨터', worker.host],
          ['버전', worker.version],
          ['켜진 때', stamp(worker.since)],
        ]}
      />
      <DrainButton worker={worker} workers={workers} onDrain={onDrain} wide />
    </Card>
  )
}

const HEAD = ['워커', '상태', '계좌 묶음', '마지막 응답', '컴퓨터', '버전', '켜진 때', '할 일']

function WorkerTable({ workers, self, onDrain }: Props) {
  const rows = workers.map((worker) => ({
    key: worker.id,
    cells: [
      <Name key="name" worker={worker} self={self} />,
      <StateName key="state" worker={worker} />,
      `${worker.shards}개`,
      leaseText(worker),
      worker.host,
      worker.version,
      stamp(worker.since),
      <DrainButton key="drain" worker={worker} workers={workers} onDrain={onDrain} />,
    ],
  }))
  return (
    <Panel>
      <h2>워커</h2>
      <Table caption="워커" head={HEAD} rows={rows} />
    </Panel>
  )
}

const Name = ({ worker: { id }, self }: { worker: WorkerState; self: string | null }) => (
  <b>
    {id}
    {id === self && <small> 이 서버</small>}
  </b>
)

function StateName({ worker }: { worker: WorkerState }) {
  const state = stateOf(worker)
  return (
    <span className={css['state']} data-state={state}>
      {STATE_NAMES[state]}
    </span>
  )
}

type ButtonProps = Pick<Props, 'workers' | 'onDrain'> & { worker: WorkerState; wide?: boolean }

function DrainButton({ worker, workers, onDrain, wide = false }: ButtonProps) {
  if (!worker.alive) return null
  if (worker.draining)
    return (
      <Button wide={wide} onClick={() => onDrain(worker)}>
        다시 맡기기
      </Button>
    )
  const isNeeded = !canBeDrained(worker, workers)
  return (
    <>
      <Button wide={wide} disabled={isNeeded} onClick={() => onDrain(worker)}>
        비우기
      </Button>
      {isNeeded && <small className={css['needed']}>넘겨받을 다른 워커가 없습니다.</small>}
    </>
  )
}
