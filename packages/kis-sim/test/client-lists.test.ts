import { createKis, UNLIMITED, type KisEnv, type KisRest } from '@digger/kis'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/**
 * The client against the pretend broker under each answer to what nobody outside the broker knows of its lists: it must read
 * the same orders under all of them.
 */
type Assumptions = NonNullable<SimOptions['assumptions']>

const ME = demoCredentials(0)
const CODE = '005930'
const DAY = 86_400_000
/** A Monday; the Wednesday after it is closed. */
const MONDAY = at('10:00:00', '2026-11-16')
const CLOSED = ['20261118']
const isOpenDay = (day: string): boolean => !CLOSED.includes(day)
const LIST = '/uapi/domestic-stock/v1/trading/inquire-daily-ccld'

let sim: Sim
let rest: KisRest | undefined
afterEach(async () => {
  await rest?.close()
  rest = undefined
  await sim.close()
})

/** `onList`: before each page of a list of orders, counted from 1. */
async function open(
  assumptions: Assumptions,
  env: KisEnv = 'real',
  onList?: (nth: number) => void,
): Promise<RawClient> {
  let lists = 0
  sim = await stillSim({
    assumptions,
    hours: 'krx',
    calendar: { closed: CLOSED },
    clock: { mode: 'manual', start: MONDAY },
    accounts: [{ credentials: ME, env, cash: 10_000_000_000 }],
    pace: {
      enter: async ({ path }) => {
        if (path === LIST) onList?.((lists += 1))
      },
      replied: async () => undefined,
    },
  })
  sim.setBase(CODE, 70_000)
  return RawClient.login(sim, ME, env)
}

function clientOf(env: KisEnv = 'real', isOpen?: (day: string) => boolean): KisRest {
  rest = createKis({
    env,
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    credentials: ME,
    tokens: { load: async () => null, save: async () => undefined },
    now: () => sim.clock.now(),
    limits: UNLIMITED,
    retries: { attempts: 1 },
    ...(isOpen && { isOpenDay: isOpen }),
  }).rest
  return rest
}

const listed = (rows: Awaited<ReturnType<KisRest['executions']>>): string[] =>
  rows.map(({ day, odno, filledCount, count }) => `${day} ${Number(odno)} ${filledCount}/${count}`)

const ANSWERS: readonly (readonly [string, Assumptions])[] = [
  ['ranges answered', { dayRanges: 'answered' }],
  ['ranges refused', { dayRanges: 'refused' }],
  ['ranges refused over holidays', { dayRanges: 'refusedOverHolidays' }],
  ['lists that change break', { changedListBreaks: true }],
  ['lists that change go on', { changedListBreaks: false }],
  ['every order twice', { rowsTwice: true }],
  ['every order once', { rowsTwice: false }],
  ['unpriced orders at 0', { unpricedShownAt: 'zero' }],
  ['unpriced orders at what they got', { unpricedShownAt: 'paidPrice' }],
  [
    'all at their worst',
    { dayRanges: 'refused', changedListBreaks: true, rowsTwice: true, unpricedShownAt: 'paidPrice' },
  ],
]

describe.each(ANSWERS)('%s', (_name, assumptions) => {
  test('three days of orders, a closed one among them, are read whole', async () => {
    const client = await open(assumptions)
    await client.order({ count: 1, price: 69_000 })
    await client.order({ division: '01', count: 2 })
    await sim.clock.advance(3 * DAY)
    await client.renew()
    await client.order({ count: 3, price: 69_000 })
    const rows = await clientOf('real', isOpenDay).executions({ from: '20261116', to: '20261119' })
    expect(listed(rows)).toEqual(['20261116 1 0/1', '20261116 2 2/2', '20261119 1 0/3'])
    expect(rows.unreadable).toEqual([])
  })

  test('a range that ends on a closed day is read, and that day alone has no orders', async () => {
    const client = await open(assumptions)
    await client.order({ count: 1, price: 69_000 })
    const kis = clientOf('real', isOpenDay)
    expect(listed(await kis.executions({ from: '20261116', to: '20261118' }))).toEqual(['20261116 1 0/1'])
    expect(await kis.executions({ from: '20261118', to: '20261118' })).toEqual([])
  })

  test.each([0, 1, 14, 16, 31])('%i orders over pages of 15', async (orders) => {
    const client = await open(assumptions, 'paper')
    for (let n = 0; n < orders; n++) await client.order({ count: 2, price: 69_000 })
    const rows = await clientOf('paper').executions({ from: '20261116', to: '20261116' })
    expect(listed(rows)).toEqual(Array.from({ length: orders }, (_, n) => `20261116 ${n + 1} 0/2`))
  })

  test('a fill between two pages shows, and no order is missing', async () => {
    const client = await open(assumptions, 'paper', (nth) => {
      if (nth === 2) sim.setPrice(CODE, 69_000, { count: 2, aggressor: 'sell' })
    })
    for (let n = 0; n < 20; n++) await client.order({ count: 2, price: n === 0 ? 69_000 : 68_000 })
    const rows = await clientOf('paper').executions({ from: '20261116', to: '20261116' })
    expect(rows).toHaveLength(20)
    // The newest come first: those that were on the first page are of before.
    expect(rows[0]?.filledCount).toBe(2)
  })
})

test('a page that is full to the last row and shown again is an error: nobody can tell it from one that hides others', async () => {
  const client = await open({ rowsTwice: true }, 'paper')
  for (let n = 0; n < 15; n++) await client.order({ count: 2, price: 69_000 })
  const reading = clientOf('paper').executions({ from: '20261116', to: '20261116' })
  await expect(reading).rejects.toThrow('repeats the last')
})

test('a day that is closed for the broker and open by the calendar at hand is a failure, not an empty day', async () => {
  await open({ dayRanges: 'refused' })
  const reading = clientOf().executions({ from: '20261118', to: '20261118' })
  await expect(reading).rejects.toMatchObject({ code: 'KIER2570', message: '조회일자를 확인하십시오.' })
})
