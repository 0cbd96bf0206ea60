import { kstInstant, newAccount, type MorningItemName, type ReasonCode } from '@digger/core'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { NotOfferedError, RefusedError, type KisRest } from '@digger/kis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BrokerFixture, CODE, EngineFixture } from './engine-fixture.ts'

/** The pretend broker that gives what a morning needs, and each unpleasant answer in its place. */
let database: TestDatabase
let fixture: EngineFixture
let broker: BrokerFixture
beforeAll(async () => void (database = await testDatabase()))
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => void (fixture = await EngineFixture.open(database, 'krx')))
afterEach(() => fixture.close())

const QUOTE = {
  code: CODE,
  price: 71_000,
  base: 71_000,
  open: 71_000,
  high: 71_000,
  low: 71_000,
  volume: 0,
  halted: false,
  statuses: [],
}
const GIVEN: Partial<KisRest> = {
  quote: async () => ({ ...QUOTE, upper: 92_000, lower: 50_000 }),
  dayCandles: async () => [],
  holidays: async () => [],
}

/** Answers otherwise from now on. */
const answer = (change: Partial<KisRest>) => void Object.assign(broker.rest, change)

/** Armed, with a stock that buys at 69,300 won; `change`: how the broker answers from the beginning. */
async function begin(change: Partial<KisRest> = {}, now = kstInstant('20260105', '100000')): Promise<void> {
  fixture.clock.advance(now - fixture.clock.now())
  broker = fixture.prepare()
  answer({ ...GIVEN, ...change })
  await fixture.unlock()
  await fixture.watch()
  for (let n = 0; n < 3; n += 1) await fixture.second()
}

/** So many seconds in each of which somebody trades at a price that is to be bought. */
async function trade(seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n += 1) {
    broker.socket.tick(CODE, 69_300)
    await fixture.second()
  }
}

const item = (name: MorningItemName) => fixture.engine.morning(fixture.userId).find((one) => one.item === name)
const state = (name: MorningItemName) => item(name)?.state
const codes = (): ReasonCode[] => fixture.engine.outlook(fixture.userId, CODE).reasons.map(({ code }) => code)
const buys = (): number => broker.sent.filter(({ side }) => side === 'buy').length

const NO_LIMITS: Partial<KisRest> = { quote: async () => ({ ...QUOTE, upper: 0, lower: 0 }) }
const NO_CASH: Partial<KisRest> = {
  buyable: async () => {
    throw new RefusedError('조회할 수 없습니다.', 'APBK0000')
  },
}
const CASH: Partial<KisRest> = {
  buyable: async () => ({
    count: 1_000,
    price: 0,
    amount: 100_000_000,
    cash: 100_000_000,
    leftAt: fixture.clock.now(),
  }),
}
const HOLIDAY = '20260216'

interface Case {
  readonly item: MorningItemName
  readonly code: ReasonCode
  readonly change?: Partial<KisRest>
  readonly now?: number
  /** What makes it red once all is well, and what mends it. */
  readonly spoil?: () => void
  readonly mend: () => void
  /** Seconds until it is green and the order is out, at most. */
  readonly within: number
}

const CASES: readonly [string, Case][] = [
  [
    'a clock that is off',
    {
      item: 'clock',
      code: 'clockRight',
      spoil: () => void (fixture.clock.offMs = 5_000),
      mend: () => void (fixture.clock.offMs = null),
      within: 2,
    },
  ],
  [
    'a day on which broker and calendar differ',
    {
      item: 'hours',
      code: 'dayAgreed',
      now: kstInstant(HOLIDAY, '100000'),
      change: { holidays: async () => [{ day: HOLIDAY, open: true }] },
      mend: () => fixture.timetables.correct(new Map([[HOLIDAY, 'normal']])),
      within: 2,
    },
  ],
  [
    'a quote without limits',
    { item: 'limits', code: 'limitsRead', change: NO_LIMITS, mend: () => answer(GIVEN), within: 35 },
  ],
  ['cash that is refused', { item: 'cash', code: 'askingCash', change: NO_CASH, mend: () => answer(CASH), within: 5 }],
  [
    'an HTS ID that is refused',
    {
      item: 'notices',
      code: 'noticesHeard',
      spoil() {
        broker.socket.isRefused = true
        broker.socket.turn('disconnected', '없는 HTS ID입니다.')
      },
      mend() {
        broker.socket.isRefused = false
        broker.socket.turn('connected')
      },
      within: 5,
    },
  ],
]

test.each(CASES)(
  '%s: red, the due order waits and its card says why; mended it is green and leaves',
  async (_, one) => {
    await begin(one.change, one.now)
    one.spoil?.()
    await trade(4)
    expect([state(one.item), buys()]).toEqual(['red', 0])
    expect(codes()).toContain(one.code)
    expect(item(one.item)?.text).toMatch(/[다요]\.$/)
    one.mend()
    let waited = 0
    for (; waited < one.within && buys() === 0; waited += 1) await trade(1)
    expect([state(one.item), buys()]).toEqual(['ok', 1])
  },
)

test('a stock in the shadow waits as it would in earnest while the notices are refused; what would leave then is named all the same', async () => {
  await begin()
  const { rehearsing } = fixture.engine
  await fixture.engine.ask(fixture.userId, { kind: 'setShadow', code: CODE, shadow: true })
  const decidesBy = () => rehearsing.contextOf(fixture.userId, newAccount(fixture.engine.book(fixture.userId))).doubts
  const wouldSend = () => rehearsing.realStart(fixture.userId, CODE).atOnce.map(({ side }) => side)
  await trade(1)
  expect([decidesBy(), wouldSend()]).toEqual([undefined, ['buy']])
  broker.socket.isRefused = true
  broker.socket.turn('disconnected', '없는 HTS ID입니다.')
  await trade(1)
  expect([decidesBy(), wouldSend()]).toEqual([{ noticesRefused: true }, ['buy']])
  broker.socket.isRefused = false
  broker.socket.turn('connected')
  await trade(5)
  expect([decidesBy(), wouldSend()]).toEqual([undefined, ['buy']])
})

const attention = () => fixture.engine.attention(fixture.userId).map(({ kind }) => kind)

test('red at five past nine is told, and only then', async () => {
  await begin(NO_LIMITS, kstInstant('20260105', '085900'))
  await trade(60)
  expect([state('limits'), attention()]).toEqual(['red', []])
  await trade(360)
  expect(attention()).toEqual(['checkRed'])
  answer(GIVEN)
  await trade(35)
  expect([state('limits'), attention()]).toEqual(['ok', []])
})

describe('what a broker never gives', () => {
  test('is not waited for: paper has no list of holidays', async () => {
    await begin({
      holidays: async () => {
        throw new NotOfferedError('휴장일')
      },
    })
    expect(state('hours')).toBe('notApplicable')
    await trade(3)
    expect(buys()).toBe(1)
  })

  test('a list that is refused leaves the calendar in force', async () => {
    await begin({
      holidays: async () => {
        throw new RefusedError('조회할 수 없습니다.', 'APBK0000')
      },
    })
    expect(state('hours')).toBe('waiting')
    await trade(3)
    expect(buys()).toBe(1)
  })

  test('no notice: registered is all there is before an order', async () => {
    await begin()
    expect(item('notices')).toMatchObject({ state: 'ok', text: expect.stringContaining('아직 받은 통보는 없습니다') })
    broker.socket.notice('0000000001', 'filled', 1)
    await fixture.second()
    expect(item('notices')?.text).toContain('마지막 통보 10:00:')
  })

  test('a line that is away: trading goes on by reading', async () => {
    await begin()
    broker.socket.turn('disconnected')
    expect(state('notices')).toBe('waiting')
  })
})

test('cash is asked for once in the morning, without any price near it, and each minute while it fails', async () => {
  let asked = 0
  const failing: Partial<KisRest> = {
    async buyable() {
      asked += 1
      throw new RefusedError('조회할 수 없습니다.', 'APBK0000')
    },
  }
  await begin(failing)
  for (let n = 0; n < 180; n += 1) await fixture.second()
  expect([state('cash'), asked]).toEqual(['red', 3])
  answer(CASH)
  for (let n = 0; n < 65; n += 1) await fixture.second()
  expect(item('cash')).toMatchObject({ state: 'ok', text: '100,000,000원까지 살 수 있습니다.' })
})

test('whoever follows the accounts learns of each arming, with the check at hand', async () => {
  const lines: string[] = []
  fixture.engine.observe({ accountArmed: (userId) => lines.push(`${userId === fixture.userId} ${state('book')}`) })
  await begin()
  expect(lines).toEqual(['true ok'])
  broker.socket.turn('disconnected')
  broker.socket.turn('connected')
  for (let n = 0; n < 15; n += 1) await fixture.second()
  expect(lines).toEqual(['true ok', 'true ok'])
})

test('without a key the check says so, and names nothing as done', async () => {
  const states = fixture.engine.morning(fixture.userId).map(({ item: name, state: is }) => `${name} ${is}`)
  expect(states).toContain('key red')
  expect(states).not.toContain('book ok')
})
