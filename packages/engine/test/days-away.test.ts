import { kstInstant } from '@digger/core'
import { afterEach, describe, expect, test } from 'vitest'
import { CODE, Exchange } from './exchange.ts'

/** A share becomes two on Wednesday. The last close that the server keeps is Monday's. */
const [MONDAY, WEDNESDAY, FRIDAY] = ['20261123', '20261125', '20261127']
const BONUS = {
  kind: 'corporateAction',
  as: 'bonusIssue',
  code: CODE,
  exDay: WEDNESDAY,
  creditDay: '20261214',
  ratio: 2,
  paid: 0,
} as const
/** Ten shares become seven: their price rises over every target, and the targets stay inside the day's limits. */
const JOINED = { ...BONUS, as: 'split', ratio: 0.7, creditDay: WEDNESDAY } as const
const TIMEOUT_MS = 60_000

let exchange: Exchange
afterEach(() => exchange.close())

const until = (day: string, time: number): number => kstInstant(day, time) - exchange.sim.clock.now()

interface Away {
  readonly from?: 'exDay' | 'dayAfter'
  readonly happening?: typeof BONUS | typeof JOINED
  /** The share is traded on the days without a server. */
  readonly traded?: boolean
}

/** One lot, and Monday's close. */
async function hold({ from: chartAdjustedFrom = 'exDay', happening = BONUS }: Away): Promise<void> {
  exchange = await Exchange.open(
    {},
    { start: kstInstant(MONDAY, 150_000), happenings: [happening], assumptions: { chartAdjustedFrom } },
  )
  await exchange.watch()
  await exchange.price(150_000)
  await exchange.wait(5_000)
  expect(exchange.stock?.lots).toHaveLength(1)
  await exchange.advance(until(MONDAY, 153_600))
  await exchange.wait(5_000)
}

/** Nobody looks before this day; then the server starts, and goes on for a minute and a half. */
async function backOn(day: string, { traded = true }: Away = {}): Promise<void> {
  const between = ['20261124', WEDNESDAY, '20261126'].filter((one) => traded && one < day)
  await exchange.restart(until(day, 90_500), async () => {
    for (const one of between.filter((each) => until(each, 100_000) > 0)) {
      await exchange.sim.clock.advance(until(one, 100_000))
      exchange.sim.setPrice(CODE, exchange.sim.price(CODE))
    }
  })
  await exchange.wait(90_000)
}

const frozen = () => exchange.stock?.frozen ?? null
const ratio = (): number => Math.round(((frozen()?.close ?? 0) / (frozen()?.base ?? 1)) * 100) / 100

describe.each<Away>([
  { from: 'exDay', traded: true },
  { from: 'dayAfter', traded: true },
  { from: 'exDay', traded: false },
])('adjusted charts $from on, traded meanwhile: $traded', (away) => {
  test(
    'a server that comes back on the day of the new share tells it once',
    async () => {
      await hold(away)
      await backOn(WEDNESDAY, away)
      expect([frozen()?.day, ratio()]).toEqual([WEDNESDAY, 2])
      // Without a bar since Monday nothing is asked.
      expect(exchange.sim.broker.assumed.times('chartAdjustedFrom') > 0).toBe(away.traded)
    },
    TIMEOUT_MS,
  )

  test(
    'one that saw it, and was away for the next days, does not tell it again',
    async () => {
      await hold(away)
      await backOn(WEDNESDAY, away)
      await backOn(FRIDAY, away)
      expect([frozen()?.day, ratio()]).toEqual([WEDNESDAY, 2])
      await exchange.ask({ kind: 'keepStock', code: CODE, day: WEDNESDAY, base: frozen()?.base ?? 0 })
      await exchange.wait(90_000)
      expect([frozen(), exchange.stock?.settledOn]).toEqual([null, WEDNESDAY])
    },
    TIMEOUT_MS,
  )

  test(
    'one that comes back later tells what nobody saw',
    async () => {
      await hold(away)
      await backOn(FRIDAY, away)
      expect([frozen()?.since, ratio()]).toEqual([MONDAY, 2])
    },
    TIMEOUT_MS,
  )
})

test(
  'shares that were joined meanwhile: nothing leaves at a target of the share of before',
  async () => {
    await hold({ happening: JOINED })
    const sold = exchange.taken('sell').length
    await backOn(WEDNESDAY)
    expect([frozen()?.day, ratio()]).toEqual([WEDNESDAY, 0.7])
    expect(exchange.taken('sell').length).toBe(sold)
  },
  TIMEOUT_MS,
)
