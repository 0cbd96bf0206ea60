import { emptyBook, evolve, kstInstant, type Book, type Context, type Fact, type Order } from '@digger/core'
import type { AccountChanged } from '../src/observer.ts'
import type { Effects, OutsideEvent } from '../src/account/effects.ts'
import { AccountMailbox } from '../src/account/mailbox.ts'
import type { Reloaded, Changes } from '@digger/storage'
import { execution } from '@digger/prices/testing'
import { NO_ACCOUNT_LIMITS, SETTINGS } from '@digger/storage/testing'

export const CODE = '005930'
const DAY = '20261116'
export const NOW = kstInstant(DAY, '100000')
export const issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false } as const
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Run {
  readonly kind: 'send' | 'cancel' | 'read' | 'askCash'
  readonly end: (event: OutsideEvent | null) => void
}

/** A broker whose effects end when and how the test says. */
export class FakeEffects implements Effects {
  authorised = true
  readonly runs: Run[] = []
  readonly ended = new Set<Run>()

  readonly send = () => this.#run('send')
  readonly cancel = () => this.#run('cancel')
  readonly askCash = () => this.#run('askCash')

  /** Only a reading can end together with another. */
  read(): Promise<OutsideEvent | null> {
    return new Promise((end) => void this.runs.push({ kind: 'read', end }))
  }

  /** The test ends it. */
  #run(kind: Run['kind']): Promise<OutsideEvent> {
    return new Promise((resolve) => {
      this.runs.push({ kind, end: (event) => event !== null && resolve(event) })
    })
  }

  of(kind: Run['kind']) {
    return this.runs.filter((run) => run.kind === kind)
  }

  /** Lets what came back be taken too. */
  async end(kind: Run['kind'], event: OutsideEvent | null): Promise<void> {
    const run = this.of(kind).at(-1)
    if (run !== undefined) this.ended.add(run)
    run?.end(event)
    await turn()
  }
}

/** One account whose tables are a list in memory. */
export class MailboxFixture {
  readonly effects = new FakeEffects()
  readonly changes: AccountChanged[] = []
  /** Deposits as published, with the lots that the book held then. */
  readonly deposits: [deposit: number, lots: number][] = []
  readonly problems: unknown[] = []
  now = NOW
  /** Commits that are written but whose answer is lost. */
  lostAnswers = 0
  readonly journal: Fact[] = []
  readonly keys: Changes['commandKeys'][number][] = []
  book: Book
  readonly mailbox: AccountMailbox

  constructor() {
    const facts: Fact[] = [
      { kind: 'dayOpened', day: DAY, at: NOW },
      { kind: 'stockAdded', code: CODE, name: '삼성전자', issue, settings: SETTINGS, at: NOW },
    ]
    this.book = facts.reduce(evolve, emptyBook(''))
    this.mailbox = new AccountMailbox(
      'user',
      { book: this.book, seq: 0, epoch: 0, keys: [] },
      {
        committer: { commit: (changes) => this.#commit(changes) },
        reader: { reload: (_userId, since) => this.#reload(since) },
        conditions: { context: () => contextAt(this.now) },
        observers: [
          {
            accountChanged: (change) => void this.changes.push(change),
            balanceRead: (_userId, deposit) => void this.deposits.push([deposit, this.lots]),
          },
        ],
        fenced: () => undefined,
        inheritedMs: 0,
        problem: (_userId, error) => this.problems.push(error),
      },
    )
    this.mailbox.attach(this.effects)
  }

  get lots(): number {
    return this.mailbox.book.stocks.get(CODE)?.lots.length ?? 0
  }

  get order(): Order | undefined {
    return this.mailbox.book.orders.get(1)
  }

  async #commit({ journal, commandKeys }: Changes): Promise<void> {
    await turn()
    this.keys.push(...commandKeys)
    this.journal.push(...journal.map(({ fact }) => fact))
    this.book = journal.reduce((book, { fact }) => evolve(book, fact), this.book)
    if (this.lostAnswers === 0) return
    this.lostAnswers -= 1
    throw new Error('the connection was cut')
  }

  async #reload(since: number): Promise<Reloaded> {
    return { book: this.book, seq: this.journal.length, epoch: 0, keys: this.keys, missed: this.journal.slice(since) }
  }

  /** The line comes back, the account asks for the lists, and they are these. */
  async readAgain(event: OutsideEvent): Promise<void> {
    this.now += 5_000
    this.mailbox.post({ kind: 'linked' })
    await this.mailbox.idle()
    const reading = this.effects.of('read').at(-1)
    if (reading === undefined || this.effects.ended.has(reading)) throw new Error('a reading should be on its way')
    await this.effects.end('read', event)
    await this.mailbox.idle()
    await turn()
  }

  /** Armed, and with a buy on its way to the wire. */
  async buying(): Promise<this> {
    this.mailbox.post({ kind: 'authorised', authorised: true })
    this.mailbox.post(snapshot(0))
    this.mailbox.post({ kind: 'cash', amount: 100_000_000, askedAt: NOW })
    await this.mailbox.idle()
    if (this.effects.of('send').length !== 1) throw new Error('one buy should be on its way')
    return this
  }
}

const contextAt = (now: number): Context => ({
  now,
  env: 'real',
  timetable: { hours: 'always', closed: new Set(), special: new Map() },
  limits: NO_ACCOUNT_LIMITS,
  serverStop: 'active',
  quote: () => ({ price: 69_300, at: now, live: true, halted: false, band: { lower: 49_000, upper: 91_000 } }),
})

export const accepted = { kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' } as const

/** The broker's lists with this many shares of the order filled; holdings only with a deposit. */
export function snapshot(
  filledCount: number,
  depositAmount: number | null = 0,
): Extract<OutsideEvent, { kind: 'snapshot' }> {
  const row = execution({
    day: DAY,
    odno: accepted.odno,
    price: 69_300,
    orderedAt: NOW,
    filledCount,
    filledAmount: filledCount * 69_300,
    remainingCount: 2 - filledCount,
  })
  const balance = depositAmount === null ? null : { holdings: [], depositAmount }
  const executions = filledCount === 0 ? [] : [row]
  return { kind: 'snapshot', snapshot: { askedAt: NOW, from: DAY, to: DAY, executions, balance } }
}
