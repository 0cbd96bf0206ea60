import type { Account, AccountEvent, BrokerBalance, Execution } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Broker } from './broker.ts'
import type { Verdict } from './broker-types.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'

/** The client gives up waiting after this, ms. */
const TIMEOUT_MS = 5_000
/** A request that outlives the time-out arrives at most this much later, ms. */
const LATEST_ARRIVAL_MS = 4_000

/** Who sends, as far as the wire needs to know. */
export interface Sender {
  readonly account: Account
  readonly life: number
  /** As the sender's own clock has it. */
  readonly now: number
  /** refused: nobody listens at the broker's. maintenance: it answers without a result. */
  readonly outage: 'none' | 'refused' | 'maintenance'
  post(event: AccountEvent): void
  refuseNow(orderId: number): string | null
}

/** The wire between Digger and the broker, with all its ways to lose things. What left arrives even if the sender died. */
export class Network {
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults
  readonly #broker: Broker
  readonly #shell: Sender
  /** The list that was read last, by which life of the sender. */
  #last: {
    readonly life: number
    readonly from: string
    readonly to: string
    readonly executions: readonly Execution[]
  } | null = null

  constructor(simulation: { agenda: Agenda; random: Random; faults: Faults }, broker: Broker, shell: Sender) {
    this.#agenda = simulation.agenda
    this.#random = simulation.random
    this.#faults = simulation.faults
    this.#broker = broker
    this.#shell = shell
  }

  send(orderId: number): void {
    this.#whileAlive(this.#random.int(0, 150), () => {
      const text = this.#shell.refuseNow(orderId)
      if (text !== null) return this.#shell.post({ kind: 'notSent', orderId, text })
      if (this.#faults.strikes('throttled')) return this.#reply({ kind: 'notSent', orderId, text: 'EGW00201' })
      if (this.#faults.strikes('tokenLost')) return this.#reply({ kind: 'notSent', orderId, text: 'EGW00123' })
      this.#leave(orderId)
    })
  }

  #leave(orderId: number): void {
    const lost = (ms: number) =>
      this.#whileAlive(ms, () => this.#shell.post({ kind: 'unknown', orderId, text: '응답 없음' }))
    if (this.#shell.outage === 'refused') return this.#reply({ kind: 'notSent', orderId, text: 'ECONNREFUSED' })
    if (this.#shell.outage === 'maintenance') return lost(this.#random.int(20, 500))
    if (this.#faults.strikes('callNeverReports')) {
      if (this.#random.chance(0.5)) this.#arrive(orderId, this.#hop(), () => {})
      return undefined
    }
    if (this.#faults.strikes('replyLostBeforeAcceptance')) return lost(TIMEOUT_MS)
    if (this.#faults.strikes('serverError')) {
      if (this.#random.chance(0.5)) this.#arrive(orderId, this.#hop(), () => {})
      return lost(this.#random.int(100, 500))
    }
    if (this.#faults.strikes('replyLostAfterAcceptance')) {
      this.#arrive(orderId, this.#hop(), () => {})
      return lost(TIMEOUT_MS)
    }
    if (this.#faults.strikes('requestArrivesAfterTimeout')) {
      this.#arrive(orderId, TIMEOUT_MS + this.#random.int(-500, LATEST_ARRIVAL_MS), () => {})
      return lost(TIMEOUT_MS)
    }
    this.#arrive(orderId, this.#hop(), (verdict) => {
      const slow = this.#faults.strikes('replyDelayed') ? this.#random.int(500, TIMEOUT_MS - 500) : 0
      this.#whileAlive(slow + this.#hop(), () =>
        this.#shell.post(
          verdict.ok
            ? { kind: 'accepted', orderId, odno: verdict.odno, orgno: '06010' }
            : { kind: 'refused', orderId, text: verdict.text, cause: verdict.cause },
        ),
      )
    })
  }

  #arrive(orderId: number, ms: number, then: (verdict: Verdict) => void): void {
    const order = this.#shell.account.book.orders.get(orderId)
    if (order === undefined) throw new Error(`order ${orderId} leaves without a row`)
    const { code, side, type, price, count, venue, session } = order
    const { life } = this.#shell
    this.#agenda.after(ms, () => {
      const verdict = this.#broker.take({ label: orderId, code, side, type, price, count, venue, session })
      if (this.#shell.life === life) then(verdict)
    })
  }

  cancel(orderId: number): void {
    const odno = this.#shell.account.book.orders.get(orderId)?.odno
    if (odno == null) throw new Error(`order ${orderId} has no number to cancel`)
    const failed = (ms: number, text: string, nothingLeft = false) =>
      this.#whileAlive(ms, () => this.#shell.post({ kind: 'cancelFailed', orderId, text, nothingLeft }))
    this.#whileAlive(this.#random.int(0, 100), () => {
      if (this.#shell.outage !== 'none') return failed(this.#hop(), 'ECONNREFUSED')
      if (this.#faults.strikes('cancelLost')) return failed(TIMEOUT_MS, '응답 없음')
      // Taken by the broker, and never done: only the list shows it.
      if (this.#faults.strikes('cancelSwallowed')) return this.#reply({ kind: 'cancelDone', orderId })
      const silent = this.#faults.strikes('cancelReplyLost')
      const { life } = this.#shell
      this.#agenda.after(this.#hop(), () => {
        const done = this.#broker.cancel(odno)
        if (this.#shell.life !== life) return
        if (silent) failed(TIMEOUT_MS, '응답 없음')
        else if (done) this.#reply({ kind: 'cancelDone', orderId })
        else failed(this.#hop(), '취소할 수량이 없습니다.', true)
      })
    })
  }

  /** The list, and before it the balance where a comparison is due and a list was read before; what changed meanwhile is named. */
  read(from: string, to: string, compare: boolean, then: (event: AccountEvent) => void): void {
    if (this.#faults.strikes('readingNeverReturns')) return
    if (this.#shell.outage !== 'none' || this.#faults.strikes('readingFailed')) {
      return this.#whileAlive(this.#random.int(100, TIMEOUT_MS), () =>
        then({ kind: 'snapshotFailed', text: 'HTTP 500' }),
      )
    }
    if (this.#faults.strikes('listChanged')) return this.#readPart(from, to, then)
    const { life } = this.#shell
    const last = this.#last
    const before = last?.life === life && last.from === from && last.to === to ? last.executions : null
    const askedAt = this.#shell.now
    const list = (balance: BrokerBalance | null): void =>
      this.#whileAlive(this.#hop(), () => {
        const executions = this.#broker.list(from, to)
        this.#last = { life, from, to, executions }
        const moved = before === null ? [] : changed(before, executions)
        this.#whileAlive(this.#hop(), () =>
          then({
            kind: 'snapshot',
            snapshot: { askedAt, from, to, executions, balance: before === null ? null : balance, moved },
          }),
        )
      })
    if (!compare || before === null) return list(null)
    this.#whileAlive(this.#hop(), () => {
      const balance = this.#broker.balance()
      this.#whileAlive(this.#hop(), () => list(balance))
    })
  }

  /** The list of one stock, while that of all may be out. */
  readStock({ code, from, to }: { code: string; from: string; to: string }, then: (event: AccountEvent) => void): void {
    if (this.#faults.strikes('readingNeverReturns')) return
    const askedAt = this.#shell.now
    if (this.#shell.outage !== 'none' || this.#faults.strikes('readingFailed'))
      return this.#whileAlive(this.#hop(), () => then({ kind: 'stockList', code, list: null }))
    this.#whileAlive(this.#hop(), () => {
      const executions = this.#broker.list(from, to).filter((row) => row.code === code)
      this.#whileAlive(this.#hop(), () => then({ kind: 'stockList', code, list: { askedAt, from, to, executions } }))
    })
  }

  /** The list changes while it is walked: what its pages showed until then is seen, and nothing is complete. */
  #readPart(from: string, to: string, then: (event: AccountEvent) => void): void {
    const askedAt = this.#shell.now
    this.#whileAlive(this.#hop(), () => {
      const executions = this.#broker.list(from, to).filter(() => this.#random.chance(0.6))
      this.#whileAlive(this.#hop(), () =>
        then({ kind: 'snapshotFailed', text: '조회이후에 자료가 변경되었습니다.', seen: { askedAt, executions } }),
      )
    })
  }

  askCash(then: (amount: number | null, askedAt: number) => void): void {
    if (this.#faults.strikes('cashNeverAnswered')) return
    const askedAt = this.#shell.now
    if (this.#shell.outage !== 'none' || this.#faults.strikes('cashFailed'))
      return this.#whileAlive(this.#hop(), () => then(null, askedAt))
    this.#whileAlive(this.#hop(), () => {
      const amount = this.#broker.freeCash
      this.#whileAlive(this.#hop(), () => then(amount, askedAt))
    })
  }

  #reply(event: AccountEvent): void {
    this.#whileAlive(this.#hop(), () => this.#shell.post(event))
  }

  readonly #hop = (): number => this.#random.int(10, 120)

  /** Only for the life that asked: a new one never receives it. */
  #whileAlive(ms: number, run: () => void): void {
    const { life } = this.#shell
    this.#agenda.after(ms, () => {
      if (this.#shell.life === life) run()
    })
  }
}

/** Stocks whose rows are others, or say something else, in the second list. */
function changed(a: readonly Execution[], b: readonly Execution[]): string[] {
  const codes = new Set([...a, ...b].map(({ code }) => code))
  return [...codes].filter((code) => says(a, code) !== says(b, code))
}

const says = (rows: readonly Execution[], code: string): string =>
  rows.flatMap((row) => (row.code === code ? `${row.odno} ${row.filledCount}` : [])).join()
