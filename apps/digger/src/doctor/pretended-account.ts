import { addDays, floorToTick, isTradingDay, kstDay, kstInstant, knownTimetable, tradingDayBefore } from '@digger/core'
import type { FiledReply } from '@digger/doctor'
import { demoCredentials, type Happening, type Listing, type Sim, startSim, UNIVERSE } from '@digger/kis-sim'

/** An account of nobody: its keys are in the source of the pretended KIS. */
export const ACCOUNT = demoCredentials(0)
const CASH = 1_000_000_000

/** So far below the price an order rests, and is within the day's limits. */
const FAR_BELOW = 0.9

const TIMETABLE = knownTimetable('krx')
/** An ETF whose gain is income, so that lists of sales have such a row. */
const ETF = '360750'

/**
 * The pretended KIS at the moment of an archive's first reply, with the stocks that were asked for, and an account that has
 * something in each list: holdings, sales, cancelled, expired and resting orders, announcements.
 */
export async function pretendedKis(replies: readonly FiledReply[], env: 'real' | 'paper'): Promise<Sim> {
  const at = replies[0]?.at ?? 0
  const day = kstDay(at)
  const codes = codesOf(replies)
  const sim = await startSim({
    port: 0,
    hours: 'krx',
    clock: { mode: 'manual', start: kstInstant(tradingDayBefore(day, TIMETABLE), '093000') },
    limits: 'off',
    universe: [...UNIVERSE, ...codes.flatMap(unlisted)],
    happenings: announcedAt(day),
    accounts: [{ credentials: ACCOUNT, cash: CASH, env }],
  })
  try {
    await trade(sim, codes, at)
  } catch (error) {
    await sim.close()
    throw error
  }
  return sim
}

/** Names of parameters that hold the code of a stock. */
const CODE_NAMES = ['PDNO', 'FID_INPUT_ISCD', 'SHT_CD']

const codesIn = (replies: readonly FiledReply[]): string[] =>
  replies.flatMap(({ params }) => CODE_NAMES.map((name) => params[name] ?? '')).filter((code) => code !== '')

const isListed = (code: string): boolean => UNIVERSE.some((one) => one.code === code)

/** Stocks that were asked for, but for codes that the archive's broker did not know: of such it shows a price of 0. */
function codesOf(replies: readonly FiledReply[]): string[] {
  const priced = replies.filter(({ body }) => /"stck_prpr":"[1-9]/.test(JSON.stringify(body)))
  return [...new Set([...codesIn(priced), ...codesIn(replies).filter(isListed)])]
}

const ORDINARY = UNIVERSE.filter(({ kind, splits, listed }) => kind === 'stock' && !splits && !listed)

/** A stock that the pretended exchange does not list by itself, listed as one of its own is. */
const unlisted = (code: string): Listing[] =>
  isListed(code) ? [] : ORDINARY.slice(0, 1).map((one) => ({ ...one, code, name: `종목 ${code}` }))

/** One of each kind that is announced, some days ahead, of stocks that are not held. */
function announcedAt(today: string): Happening[] {
  const days = Array.from({ length: 10 }, (_, n) => addDays(today, n + 1))
  const exDay = days.filter((day) => isTradingDay(day, TIMETABLE))[2] ?? addDays(today, 3)
  const action = { kind: 'corporateAction', exDay, creditDay: addDays(exDay, 14), paid: 0 } as const
  return [
    { ...action, as: 'bonusIssue', code: '035420', ratio: 2 },
    { ...action, as: 'rightsIssue', code: '035720', ratio: 1.5, paid: 30_000 },
    { ...action, as: 'stockDividend', code: '003550', ratio: 1.05 },
    { ...action, as: 'split', code: '086520', ratio: 5, creditDay: exDay },
    { kind: 'dividend', code: '017670', exDay, payDay: addDays(exDay, 30), won: 830 },
  ]
}

/** On the day before: bought, sold, cancelled, left to expire; on the day itself, where it is traded already, an order that rests. */
async function trade(sim: Sim, codes: readonly string[], at: number): Promise<void> {
  const account = ACCOUNT.accountNumber
  for (const code of new Set([...codes, ETF])) {
    const price = sim.price(code)
    sim.setPrice(code, price)
    sim.outsideTrade(account, { code, side: 'buy', count: 10, price })
  }
  await sim.clock.advance(60_000)
  for (const code of new Set([...codes.slice(0, 1), ETF]))
    sim.outsideTrade(account, { code, side: 'sell', count: 2, price: sim.price(code) })
  const [code = ETF] = codes
  const kind = sim.broker.exchange.issue(code).listing.kind
  const rest = (): string => {
    const price = floorToTick(sim.price(code) * FAR_BELOW, kind)
    return sim.byPhone(account, { kind: 'order', code, side: 'buy', count: 3, price }).odno
  }
  sim.byPhone(account, { kind: 'cancel', odno: rest() })
  rest()
  const morning = kstInstant(kstDay(at), '091000')
  if (at > morning && isTradingDay(kstDay(at), TIMETABLE)) {
    await sim.clock.advance(morning - sim.clock.now())
    for (const one of codes) sim.setPrice(one, sim.price(one))
    rest()
  }
  await sim.clock.advance(Math.max(0, at - sim.clock.now()))
}
