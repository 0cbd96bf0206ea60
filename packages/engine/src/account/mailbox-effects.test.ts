import { emptyBook, evolve, kstInstant, type Book, type Context, type Fact, type Order } from '@digger/core'
import { OutcomeUnknown } from '@digger/contract'
import { expect, test } from 'vitest'
import { execution } from '../../test/fake-kis.ts'
import { SETTINGS } from '../../test/settings.ts'
import type { AccountChanged } from '../observer.ts'
import type { Reloaded } from '../storage/load.ts'
import type { Changes } from '../storage/rows-of.ts'
import type { Effects, OutsideEvent } from './effects.ts'
import { AccountMailbox } from './mailbox.ts'

const CODE = '005930'
const DAY = '20261116'
const NOW = kstInstant(DAY, '100000')
const issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false } as const
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Run {
  readonly kind: 'send' | 'cancel' | 'read' | 'askCash'
  readonly end: (event: OutsideEvent | null) => void
}

/** A broker whose effects end when and how the test says. */
class FakeEffects implements Effects {
  authorised = true
  readonly runs: Run[] = []

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
    this.of(kind).at(-1)?.end(event)
    await turn()
  }
}

/** One account whose tables are a list in memory. */
class MailboxFixture {
  readonly effects = new FakeEffects()
  readonly changes: AccountChanged[] = []
  /** Deposits as published, with the lots that the book held then. */
  readonly deposits: [deposit: number, lots: number][] = []
  readonly problems: unknown[] = []
  /** Commits that are written but whose answer is lost. */
  lostAnswers = 0
  readonly journal: Fact[] = []
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
      { book: this.book, seq: 0 },
      {
        committer: { commit: (changes) => this.#commit(changes) },
        reader: { reload: (_userId, since) => this.#reload(since) },
        conditions: { context },
        observers: [
          {
            accountChanged: (change) => void this.changes.push(change),
            balanceRead: (_userId, deposit) => void this.deposits.push([deposit, this.lots]),
          },
        ],
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

  async #commit({ journal }: Changes): Promise<void> {
    await turn()
    this.journal.push(...journal.map(({ fact }) => fact))
    this.book = journal.reduce((book, { fact }) => evolve(book, fact), this.book)
    if (this.lostAnswers === 0) return
    this.lostAnswers -= 1
    throw new Error('the connection was cut')
  }

  async #reload(since: number): Promise<Reloaded> {
    return { book: this.book, seq: this.journal.length, missed: this.journal.slice(since) }
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

const limits = { orderAmount: null, dailyBuyAmount: null, ordersPerMinute: null, collarPercent: null, freshMs: 5_000 }
const context = (): Context => ({
  now: NOW,
  env: 'real',
  timetable: { hours: 'always', closed: new Set(), special: new Map() },
  limits,
  serverStop: 'active',
  quote: () => ({ price: 69_300, at: NOW, live: true, halted: false, band: { lower: 49_000, upper: 91_000 } }),
})

const accepted = { kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' } as const

/** The broker's lists with this many shares of the order filled; holdings only with a deposit. */
function snapshot(filledCount: number, depositAmount: number | null = 0): Extract<OutsideEvent, { kind: 'snapshot' }> {
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

test('the broker’s answer about an order counts also after the broker was detached', async () => {
  const { mailbox, effects, ...fixture } = await new MailboxFixture().buying()
  mailbox.attach()
  mailbox.post({ kind: 'authorised', authorised: false })
  await mailbox.idle()
  expect(mailbox.active).toBe(true)
  await effects.end('send', accepted)
  await mailbox.idle()
  expect(mailbox.book.orders.get(1)).toMatchObject({ status: 'open', odno: accepted.odno })
  expect(fixture.problems).toEqual([])
})

test('from then on nothing is asked of the old broker, and the account learns that nothing left', async () => {
  const { mailbox, effects } = await new MailboxFixture().buying()
  for (const { end } of effects.of('read')) end(null)
  await effects.end('send', accepted)
  await mailbox.idle()
  mailbox.attach()
  const before = effects.runs.length
  mailbox.post({ kind: 'linked' })
  await mailbox.ask({ kind: 'cancelOrders', code: CODE })
  mailbox.post({ kind: 'timer' })
  await turn()
  await mailbox.idle()
  expect(effects.runs).toHaveLength(before)
  // The cancel did not leave: the order still rests, and is to be cancelled.
  expect(mailbox.book.orders.get(1)?.status).toBe('open')
  expect(mailbox.account.view.orders.unwanted.has(1)).toBe(true)
})

test('a broker attached anew gets what follows; answers of the old one still count, and nothing is sent twice', async () => {
  const { mailbox, effects } = await new MailboxFixture().buying()
  mailbox.attach()
  mailbox.post({ kind: 'authorised', authorised: false })
  const next = new FakeEffects()
  mailbox.attach(next)
  mailbox.post({ kind: 'authorised', authorised: true })
  mailbox.post(snapshot(0))
  mailbox.post({ kind: 'timer' })
  await mailbox.idle()
  expect(next.of('send')).toEqual([])
  await effects.end('send', accepted)
  for (const event of [snapshot(0), { kind: 'timer' } as const, { kind: 'price', code: CODE } as const])
    mailbox.post(event)
  await mailbox.idle()
  expect([effects.of('send').length, next.of('send').length]).toEqual([1, 0])
  expect(mailbox.book.orders.get(1)?.status).toBe('open')
})

test('an effect is under way until its event is taken, also one that ends together with another', async () => {
  const { mailbox, effects } = await new MailboxFixture().buying()
  await effects.end('send', accepted)
  await mailbox.idle()
  expect(mailbox.active).toBe(true)
  const before = mailbox.book
  const cash = { kind: 'cash', amount: 100_000_000, askedAt: NOW } as const
  for (const { kind, end } of effects.runs) end(kind === 'askCash' ? cash : null)
  await turn()
  await mailbox.idle()
  expect([mailbox.active, mailbox.book === before]).toEqual([false, true])
})

test('a balance is published once the book holds the lots of the same moment, and only a complete one', async () => {
  const fixture = await new MailboxFixture().buying()
  const { mailbox, effects } = fixture
  await effects.end('send', accepted)
  await mailbox.idle()
  mailbox.post({ kind: 'notice', odno: accepted.odno, filledCount: 2 })
  await mailbox.idle()
  await effects.end('read', snapshot(2, 1_861_400))
  // A commit lies between: at the moment the reading came, no lot was in the book.
  expect(fixture.deposits).toEqual([])
  await mailbox.idle()
  await turn()
  expect(fixture.deposits).toEqual([[1_861_400, 1]])
  mailbox.post({ kind: 'linked' })
  await mailbox.idle()
  await effects.end('read', snapshot(2, null))
  await mailbox.idle()
  expect(fixture.deposits).toHaveLength(1)
  mailbox.post({ kind: 'linked' })
  await mailbox.idle()
  // Something was filled while the holdings were read.
  const whole = snapshot(2, 1_800_000)
  await effects.end('read', { ...whole, snapshot: { ...whole.snapshot, moved: [CODE] } })
  await mailbox.idle()
  await turn()
  expect(fixture.deposits).toHaveLength(1)
})

test('what was written although its answer was lost is published when the account has been read again', async () => {
  const fixture = new MailboxFixture()
  const { mailbox, changes } = fixture
  await mailbox.idle()
  fixture.lostAnswers = 1
  const settings = { ...SETTINGS, lastBuyPrice: 60_000 }
  const save = { kind: 'updateStock', code: CODE, version: null, settings, listing: null } as const
  await expect(mailbox.ask(save)).rejects.toMatchObject({ code: 'INTERNAL' })
  mailbox.post({ kind: 'timer' })
  await mailbox.idle()
  expect(mailbox.book.stocks.get(CODE)?.settings.lastBuyPrice).toBe(60_000)
  expect(changes.at(0)).toMatchObject({ userId: 'user', facts: [{ kind: 'settingsSaved' }] })
  expect(changes.at(-1)?.after).toBe(mailbox.book)
})

test('an acceptance whose commit lost its answer is published once, and the order is not sent again', async () => {
  const fixture = await new MailboxFixture().buying()
  const { mailbox, effects, changes } = fixture
  changes.length = 0
  fixture.lostAnswers = 1
  await effects.end('send', accepted)
  await mailbox.idle()
  const published = changes.flatMap(({ facts }) => facts).filter(({ kind }) => kind === 'orderAccepted')
  expect([published.length, fixture.order?.status, effects.of('send').length]).toEqual([1, 'open', 1])
  expect(fixture.journal.filter(({ kind }) => kind === 'orderAccepted')).toHaveLength(1)
})

test('a sale that waits ends when the account is read again, and its person is asked to look at the orders', async () => {
  const one = await new MailboxFixture().buying()
  one.mailbox.post(accepted)
  one.mailbox.post(snapshot(2, null))
  await one.mailbox.idle()
  // The automatic sale is on its way, so the one at the market waits for it.
  const sale = one.mailbox.ask({ kind: 'sellAtMarket', code: CODE })
  await one.mailbox.idle()
  one.lostAnswers = 1
  const stop = one.mailbox.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await expect(stop).rejects.toThrow(/저장되었는지 확인하지 못했습니다/)
  await expect(Promise.race([sale, turn()])).rejects.toMatchObject({
    code: 'BUSY',
    message: expect.stringContaining('주문 목록을 확인'),
  })
})

test('a stop that may be saved holds on until the account is read again, which knows it', async () => {
  const one = await new MailboxFixture().buying()
  one.lostAnswers = 1
  const stop = one.mailbox.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await expect(stop).rejects.toBeInstanceOf(OutcomeUnknown)
  expect([one.mailbox.book.stop, one.mailbox.pendingStop(CODE)]).toEqual(['active', 'halt'])
  one.mailbox.post({ kind: 'timer' })
  await one.mailbox.idle()
  expect([one.mailbox.book.stop, one.mailbox.pendingStop(CODE)]).toEqual(['halt', 'active'])
})

test('a cancel that was saved without a word is not called unsaved, and is done', async () => {
  const one = await new MailboxFixture().buying()
  await one.effects.end('send', accepted)
  await one.mailbox.idle()
  one.lostAnswers = 1
  await expect(one.mailbox.ask({ kind: 'cancelOrders', code: CODE })).rejects.toThrow(/저장되었는지 확인하지 못했/)
  one.mailbox.post({ kind: 'timer' })
  await one.mailbox.idle()
  expect([one.order?.status, one.effects.of('cancel').length]).toEqual(['cancelling', 1])
})
