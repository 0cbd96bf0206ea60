import { emptyBook, type AccountEvent, type BrokerSnapshot } from '@digger/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realClock, type Clock } from '@digger/database'
import { TestClock } from '@digger/database/testing'
import type { KisExecution, KisRest } from '@digger/kis'
import { execution, fakeKis } from '@digger/prices/testing'
import { Timetables } from '@digger/prices'
import { BrokerLists } from './broker-lists.ts'

const TODAY = '20261122'
/** When the lists are asked for where a test moves no clock, epoch ms. */
const ASKED_AT = 1_000
/** For an account without orders or stocks. */
const reader = { book: () => emptyBook(TODAY), timetable: () => new Timetables('krx').current }
const readerOf = (rest: KisRest, clock: Clock, problem: (error: unknown) => void = () => undefined): BrokerLists =>
  new BrokerLists(rest, clock, reader, problem)

/** Lists that come when the test says so, what was asked for them and what came of it. */
class Bench {
  readonly posted: AccountEvent[] = []
  readonly lists: { readonly from: string; readonly answer: (fails?: boolean) => void }[] = []
  balances = 0
  readonly reader: BrokerLists

  constructor() {
    const usual = fakeKis()
    const rest = fakeKis({
      executions: ({ from }) =>
        new Promise((resolve, reject) => {
          this.lists.push({
            from,
            answer: (fails = false) =>
              fails ? reject(new Error('no list')) : resolve(Object.assign([], { leftAt: 0 })),
          })
        }),
      balance: () => {
        this.balances += 1
        return usual.balance()
      },
    })
    this.reader = readerOf(rest, realClock)
  }

  read(from: string, compare = false): void {
    void this.reader
      .readInTurn({ from, to: TODAY, compare })
      .then((event) => void (event !== null && this.posted.push(event)))
  }

  /** Answers the oldest list that was asked for and lets what follows happen. */
  async answer(fails = false): Promise<void> {
    this.lists.shift()?.answer(fails)
    await this.settle()
  }

  async settle(): Promise<void> {
    await new Promise(setImmediate)
  }
}

test('readings asked for while one is under way become one, of all days and with the holdings if anybody wanted them', async () => {
  const bench = new Bench()
  bench.read('20261122')
  bench.read('20261122')
  bench.read('20261120', true)
  bench.read('20261121')
  expect(bench.lists.map(({ from }) => from)).toEqual(['20261122'])
  await bench.answer()
  expect(bench.posted).toMatchObject([{ kind: 'snapshot', snapshot: { balance: null } }])
  expect(bench.lists.map(({ from }) => from)).toEqual(['20261120'])
  await bench.answer()
  expect([bench.balances, bench.lists.length]).toEqual([1, 0])
  expect(bench.posted).toHaveLength(2)
  expect(bench.posted[1]).toMatchObject({ snapshot: { from: '20261120', balance: { depositAmount: 2_000_000 } } })
})

test('a reading that fails lets the one that waits for it begin', async () => {
  const bench = new Bench()
  bench.read('20261122')
  bench.read('20261122')
  await bench.answer(true)
  expect(bench.posted).toMatchObject([{ kind: 'snapshotFailed' }])
  await bench.answer()
  expect(bench.posted).toMatchObject([{ kind: 'snapshotFailed' }, { kind: 'snapshot' }])
  bench.read('20261122')
  await bench.answer()
  expect(bench.posted).toHaveLength(3)
})

/** A broker whose lists of fills come one after the other, the last for ever; and how often holdings were asked for. */
function listsOf(...rounds: readonly (readonly KisExecution[])[]): { reader: BrokerLists; asked: string[] } {
  const asked: string[] = []
  const usual = fakeKis()
  const left = [...rounds]
  const rest = fakeKis({
    executions: async () => {
      const rows = (left.length > 1 ? left.shift() : left[0]) ?? []
      asked.push('list')
      return Object.assign([...rows], { leftAt: asked.length })
    },
    balance: async () => {
      asked.push('holdings')
      return usual.balance()
    },
  })
  return { reader: readerOf(rest, new TestClock(ASKED_AT)), asked }
}
const compare = { from: TODAY, to: TODAY, compare: true }
async function snapshotOf(reader: BrokerLists, wanted = compare): Promise<BrokerSnapshot> {
  const event = await reader.readInTurn(wanted)
  if (event?.kind !== 'snapshot') throw new Error('no snapshot')
  return { ...event.snapshot, executions: [...event.snapshot.executions] }
}
const filled = (filledCount: number): KisExecution[] => [execution({ day: TODAY, filledCount })]

test('a comparison hands its first list over before it asks for the holdings', async () => {
  const { reader, asked } = listsOf(filled(1))
  expect(await snapshotOf(reader)).toMatchObject({ askedAt: 1, executions: filled(1), balance: null })
  expect(asked).toEqual(['list'])
})

test('holdings come between two lists, and the reading is no younger than the holdings', async () => {
  const { reader, asked } = listsOf(filled(1))
  await snapshotOf(reader, { ...compare, compare: false })
  expect(await snapshotOf(reader)).toMatchObject({ askedAt: ASKED_AT, balance: { depositAmount: 2_000_000 } })
  expect(asked).toEqual(['list', 'holdings', 'list'])
})

test('a fill that slips in between is handed over at once, and its stock is named: the holdings prove nothing of it', async () => {
  const { reader, asked } = listsOf(filled(1), filled(2))
  await snapshotOf(reader)
  const holdings = { askedAt: ASKED_AT, executions: filled(2), balance: { depositAmount: 2_000_000 } }
  expect(await snapshotOf(reader)).toMatchObject({ ...holdings, moved: [execution({}).code] })
  expect(await snapshotOf(reader)).toMatchObject({ ...holdings, moved: [] })
  expect(asked).toEqual(['list', 'holdings', 'list', 'holdings', 'list'])
})

test.each<[string, string, number]>([
  ['up to the day before', '20261121', 0],
  ['of a day more', TODAY, 1],
])('after a list %s a comparison asks for the holdings if both show today', async (_name, to, holdings) => {
  const { reader, asked } = listsOf([execution({ day: '20261121' }), ...filled(1)], filled(1))
  await snapshotOf(reader, { from: '20261121', to, compare: false })
  expect((await snapshotOf(reader)).balance !== null).toBe(holdings === 1)
  expect(asked.filter((one) => one === 'holdings')).toHaveLength(holdings)
})

const OTHER = execution({ day: TODAY, code: '000660', odno: '2' })
test.each<[string, readonly (readonly KisExecution[])[], string]>([
  ['fills go on', [filled(0), filled(1), filled(2), filled(3)], execution({}).code],
  ['orders come and go', [filled(1), [...filled(1), OTHER], filled(1), [...filled(1), OTHER]], OTHER.code],
])('while %s every list counts at once, and the holdings for all stocks but that one', async (_name, rounds, code) => {
  const { reader, asked } = listsOf(...rounds)
  for (const [n, round] of rounds.entries()) {
    const { executions, balance, moved = [] } = await snapshotOf(reader)
    expect([executions, balance !== null, moved]).toEqual([round, n > 0, n > 0 ? [code] : []])
    expect(reader.count).toBe(n + 1)
  }
  expect(asked.filter((one) => one === 'holdings')).toHaveLength(3)
})

test('while the holdings are refused every second reading is a list, and the cause is reported once', async () => {
  const problems: unknown[] = []
  const rest = fakeKis({
    executions: async () => Object.assign([], { leftAt: ASKED_AT }),
    balance: () => Promise.reject(new Error('EGW00215')),
  })
  const reader = readerOf(rest, new TestClock(ASKED_AT), (error) => problems.push(error))
  const kinds: unknown[] = []
  for (let n = 0; n < 6; n += 1) kinds.push((await reader.readInTurn(compare))?.kind)
  expect(kinds).toEqual(['snapshot', 'snapshotFailed', 'snapshot', 'snapshotFailed', 'snapshot', 'snapshotFailed'])
  expect(problems).toHaveLength(1)
})

test('whoever checks while fills go on is told so after four readings', async () => {
  const { reader, asked } = listsOf(filled(0), filled(1), filled(2), filled(3), filled(4))
  const { askedAt, executions, balance } = await reader.check(TODAY, TODAY)
  expect([askedAt, [...executions], balance]).toEqual([7, filled(3), null])
  expect(asked.filter((one) => one === 'holdings')).toHaveLength(3)
})

test('whoever checks one stock need not wait for the fills of another, nor shares what was read for it', async () => {
  const { reader, asked } = listsOf(filled(0), filled(1), filled(2), filled(3), filled(4), filled(5))
  const [quiet, lively] = await Promise.all([
    reader.check(TODAY, TODAY, '000660'),
    reader.check(TODAY, TODAY, '005930'),
  ])
  expect([quiet.balance?.depositAmount, lively.balance]).toEqual([2_000_000, null])
  expect(asked.filter((one) => one === 'list')).toHaveLength(2 + 4)
})

/** One ledger query a second, a hundred rows each, and a fill of the last order at `fillAt`; times in ms since the start. */
function busyDay(fillAt: number, orders = 300): { reader: BrokerLists; now: () => number } {
  const clock = new TestClock(0)
  const usual = fakeKis()
  const calls = (count: number): void => {
    clock.advance(count * 1_050)
  }
  const rest = fakeKis({
    executions: async () => {
      const leftAt = clock.now()
      const filledCount = leftAt >= fillAt ? 1 : 0
      calls(Math.floor(orders / 100) + 1)
      const rows = Array.from({ length: orders }, (_, n) => execution({ day: TODAY, odno: String(n), filledCount: 0 }))
      return Object.assign([...rows, execution({ day: TODAY, odno: 'last', filledCount })], { leftAt })
    },
    balance: async () => {
      calls(1)
      return usual.balance()
    },
  })
  return { reader: readerOf(rest, clock), now: () => clock.now() }
}

test.each([0, 1, 4_200, 4_201, 5_250])(
  'with 300 orders a fill after %d ms is handed over within the reading under way and the one after it',
  async (fillAt) => {
    const { reader, now } = busyDay(fillAt)
    let seen = false
    while (!seen) {
      const { executions } = await snapshotOf(reader)
      seen = executions.at(-1)?.filledCount === 1
    }
    expect(now() - fillAt).toBeLessThanOrEqual(2 * 5 * 1_050)
  },
)

test('with 300 orders the fills of a comparison are handed over every five seconds, not after nineteen', async () => {
  const { reader, now } = busyDay(Number.POSITIVE_INFINITY)
  await snapshotOf(reader)
  expect(now()).toBe(4 * 1_050)
  expect(await snapshotOf(reader)).toMatchObject({ balance: { depositAmount: 2_000_000 } })
  expect(now()).toBe(9 * 1_050)
})

test('a list made by hand counts from before it was asked for', async () => {
  const rest = fakeKis({ executions: async () => [] })
  const reader = readerOf(rest, new TestClock(ASKED_AT))
  expect(await reader.readInTurn({ ...compare, compare: false })).toMatchObject({ snapshot: { askedAt: ASKED_AT } })
})

test('people who check at the same time share one reading; whoever comes later gets a new one', async () => {
  const bench = new Bench()
  const first = bench.reader.check(TODAY, TODAY)
  const second = bench.reader.check(TODAY, TODAY)
  expect(bench.lists).toHaveLength(1)
  await bench.answer()
  await bench.answer()
  expect(await first).toBe(await second)
  const third = bench.reader.check(TODAY, TODAY)
  await bench.settle()
  expect(bench.lists).toHaveLength(1)
  await bench.answer()
  expect(await third).not.toBe(await first)
  expect(bench.balances).toBe(2)
})

test('a check waits for the reading under way, and what the account asks for meanwhile comes between two of its own', async () => {
  const bench = new Bench()
  bench.read(TODAY)
  const checked = bench.reader.check('20261119', TODAY)
  bench.read('20261121')
  bench.read('20261119', true)
  expect(bench.lists.map(({ from }) => from)).toEqual([TODAY])
  await bench.answer()
  expect([bench.posted.length, bench.lists.map(({ from }) => from)]).toEqual([1, ['20261119']])
  await bench.answer()
  expect(bench.posted).toHaveLength(1)
  await bench.answer()
  expect(bench.posted).toHaveLength(2)
  expect(bench.posted[1]).toMatchObject({ snapshot: { from: '20261119', balance: { depositAmount: 2_000_000 } } })
  await bench.answer()
  expect(await checked).toMatchObject({ from: '20261119', balance: { depositAmount: 2_000_000 } })
  expect([bench.posted.length, bench.lists.length]).toEqual([2, 0])
})

test('a check that fails fails for all who share it, and stands in nobody’s way', async () => {
  const bench = new Bench()
  const checks = [bench.reader.check(TODAY, TODAY), bench.reader.check(TODAY, TODAY)]
  const settled = Promise.allSettled(checks)
  bench.read(TODAY)
  await bench.answer(true)
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await bench.answer()
  expect(bench.posted).toMatchObject([{ kind: 'snapshot' }])
  expect(bench.reader.count).toBe(1)
})

test('the age of the lists begins anew with each that came to its end, not with one that failed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const bench = new Bench()
  bench.read(TODAY)
  vi.advanceTimersByTime(15)
  await bench.answer(true)
  expect(bench.reader.age).toBe(15)
  bench.read(TODAY)
  await bench.answer()
  expect(bench.reader.age).toBe(0)
})
