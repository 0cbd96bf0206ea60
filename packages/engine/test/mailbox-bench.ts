import {
  emptyBook,
  evolve,
  kstInstant,
  type Book,
  type Context,
  type Effect,
  type Fact,
  type Order,
  type Quote,
  type Stop,
} from '@digger/core'
import { bootNow, KERNEL_LEASE, realClock } from '@digger/database'
import { LastLook } from '../src/account/last-look.ts'
import { AccountMailbox } from '../src/account/mailbox.ts'
import type { Reloaded, Changes } from '@digger/storage'
import { NO_ACCOUNT_LIMITS, SETTINGS } from '@digger/storage/testing'

export const CODE = '005930'
export const NOW = kstInstant('20261116', '100000')
export const issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false } as const
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** One account whose disk is a list in memory, and fails when the test sets it to. */
export class Bench {
  readonly written: Changes[] = []
  readonly effects: { readonly kind: Effect['kind']; readonly compare?: boolean }[] = []
  readonly reloads: number[] = []
  /** How often it turned out that another process has the account. */
  fenced = 0
  /** Events in the mailbox at each of them. */
  readonly waiting: number[] = []
  /** Commits that fail from now on, and how. */
  failing = 0
  why: object = Object.assign(new Error('the disk is full'), { code: '53100' })
  /** A kind of fact that is never taken. */
  refuses: Fact['kind'] | null = null
  /** Readings that fail from now on. */
  unreadable = 0
  unreadableWhy = new Error('the connection was cut')
  seq = 2
  now = NOW
  quote: Quote | undefined
  serverStop: Stop = 'active'
  /** No event can be decided. */
  broken = false
  book: Book
  readonly mailbox: AccountMailbox

  /** This process does not know the time. */
  isTimeUnknown: boolean

  constructor(facts: readonly Fact[] = [], { isTimeUnknown = false } = {}) {
    this.isTimeUnknown = isTimeUnknown
    const first: Fact[] = [
      { kind: 'dayOpened', day: '20261116', at: NOW },
      { kind: 'stockAdded', code: CODE, name: '삼성전자', issue, settings: SETTINGS, at: NOW },
    ]
    this.book = [...first, ...facts].reduce(evolve, emptyBook(''))
    this.mailbox = new AccountMailbox(
      'user',
      { book: this.book, seq: 2, epoch: 0, keys: [] },
      {
        committer: { commit: (changes) => this.#commit(changes) },
        reader: { reload: () => this.#reload() },
        conditions: { context: () => this.#context() },
        observers: [{ accountChanged: ({ after }) => void (this.book = after) }],
        fenced: () => void (this.fenced += 1),
        inheritedMs: 120_000,
        problem: () => undefined,
      },
    )
    this.mailbox.attach({
      authorised: true,
      send: () => this.#run({ kind: 'send' }),
      cancel: () => this.#run({ kind: 'cancel' }),
      read: (wanted) => this.#run({ kind: 'readLists', compare: 'compare' in wanted && wanted.compare }),
      askCash: () => this.#run({ kind: 'askCash' }),
    })
  }

  /** An effect that never ends. */
  #run(effect: Bench['effects'][number]): Promise<never> {
    this.effects.push(effect)
    return new Promise(() => undefined)
  }

  /** Why the buy would not leave now. */
  refusal(serverStop: Stop = 'active'): string | null {
    const conditions = { env: 'real', serverStop, clock: { ...realClock, now: () => this.now } } as const
    const parts = { mailbox: this.mailbox, conditions, lease: KERNEL_LEASE }
    return new LastLook(parts, this.order(1), bootNow()).refuse()
  }

  async #reload(): Promise<Reloaded> {
    this.reloads.push(performance.now())
    this.waiting.push(this.mailbox.waiting)
    if (this.unreadable > 0) {
      this.unreadable -= 1
      throw this.unreadableWhy
    }
    return { book: this.book, seq: this.seq, epoch: 0, keys: [], missed: [] }
  }

  get sends(): number {
    return this.effects.filter((effect) => effect.kind === 'send').length
  }

  order(id: number): Order {
    const order = this.mailbox.book.orders.get(id)
    if (order === undefined) throw new Error(`no order ${id}`)
    return order
  }

  async #commit(changes: Changes): Promise<void> {
    await turn()
    if (changes.journal.some(({ fact }) => fact.kind === this.refuses)) throw this.why
    if (this.failing > 0) {
      this.failing -= 1
      throw this.why
    }
    this.written.push(changes)
    this.seq = changes.account.seq
  }

  #context(): Context {
    if (this.broken) throw new Error('nobody thought of this')
    return {
      now: this.now,
      ...(this.isTimeUnknown && { isTimeUnknown: true }),
      env: 'real',
      timetable: { hours: 'always', closed: new Set(), special: new Map() },
      limits: NO_ACCOUNT_LIMITS,
      serverStop: this.serverStop,
      quote: () => this.quote,
    }
  }
}

/** A bench with one buy on its way to the wire. */
export async function buying(...facts: Fact[]): Promise<Bench> {
  const bench = new Bench(facts)
  bench.quote = { price: 69_300, at: NOW, live: true, halted: false, band: { lower: 49_000, upper: 91_000 } }
  bench.mailbox.post({ kind: 'authorised', authorised: true })
  const snapshot = { askedAt: NOW, from: '20261116', to: '20261116', executions: [] }
  bench.mailbox.post({ kind: 'snapshot', snapshot: { ...snapshot, balance: { holdings: [], depositAmount: 0 } } })
  bench.mailbox.post({ kind: 'cash', amount: 100_000_000, askedAt: NOW })
  await bench.mailbox.idle()
  if (bench.sends !== 1) throw new Error('one buy should be on its way')
  return bench
}
