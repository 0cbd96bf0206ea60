import type { Bus, Member } from '@digger/cluster'
import { OutcomeUnknown } from '@digger/contract'
import type { StopWritten } from '@digger/engine'

/** Says no more than "look at the tables": what it says may be lost. */
const SUBJECT = 'digger.stop'
/** A worker that does not answer may send until its lease is over, after 5 s; the rest is for its last renewal and our looks, ms. */
const WAIT_MS = 7_000

export type Workers = Pick<Member, 'readStop' | 'stopHolds'>

/** Makes a stop of the whole server hold at all workers. It is the tables that do; the bus makes it quick. */
export class StopNews {
  readonly #bus: Bus
  readonly #workers: () => Workers | null
  readonly #end: () => void

  constructor(bus: Bus, workers: () => Workers | null) {
    this.#bus = bus
    this.#workers = workers
    this.#end = bus.subscribe(SUBJECT, () => workers()?.readStop())
  }

  /** Letting go need not hold anywhere before the answer: every worker hears of it within a second or so. */
  readonly written: StopWritten = async (stop, version) => {
    this.#bus.publish(SUBJECT, new Uint8Array())
    if (stop === 'active') return
    const deaf = (await this.#workers()?.stopHolds(version, WAIT_MS)) ?? []
    if (deaf.length > 0) throw new OutcomeUnknown(notHeard(deaf.length), 'BUSY')
  }

  end(): void {
    this.#end()
  }
}

const notHeard = (count: number): string =>
  `서버 전체 멈춤은 저장했지만, 계좌를 맡은 서버 ${count}대가 받았다고 아직 답하지 않았습니다. 그 서버는 주문을 더 보냈을 수 있습니다. 잠시 뒤 한 번 더 눌러 확인해 주세요.`
