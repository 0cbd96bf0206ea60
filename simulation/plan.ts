import { Dice } from './machine/dice.ts'
import { FAULTS, OTHERS, WORST, type FaultName } from './faults/all.ts'
import { PRESSES, type PressName } from './people/presses.ts'
import type { FaultPlan, Plan, PressPlan, StockPlan } from './planned.ts'
import { listings } from './product.ts'

const MINUTE = 60_000
/** Runs that cross an edge between two sessions; `opens`: when the day's market is open, minutes. 23 November 2026 is a Monday. */
const STARTS = [
  { start: '2026-11-23T08:48:30+09:00', opens: 11.5, calm: 26, end: 35 },
  { start: '2026-11-23T08:57:00+09:00', opens: 3, calm: 26, end: 35 },
  { start: '2026-11-23T14:46:00+09:00', opens: 0, calm: 25, end: 36 },
] as const
const STOCKS = 12
const PEOPLE = 2
/** People have saved their settings by then. */
const FIRST_FAULT_MS = 90_000
/** Most faults come no earlier before the market opens: before that there are few orders they could meet, ms. */
const BEFORE_OPENING_MS = 2 * MINUTE
const NEAR_OR_AFTER_OPENING = 0.8

export function makePlan(seed: number): Plan {
  const dice = new Dice(seed, 'plan')
  const { start, opens, calm, end } = dice.pick(STARTS)
  const calmAt = calm * MINUTE
  const accounts = Array.from({ length: PEOPLE }, (_, person) => ({ stocks: stocksOf(seed, person) }))
  const faults = faultsOf(new Dice(seed, 'faults'), opens * MINUTE, calmAt)
  return {
    seed,
    start,
    calmAt,
    endAt: end * MINUTE,
    accounts,
    market: { ticksPerSecond: dice.pick([0.1, 0.2, 0.4]), volatility: dice.pick([0.05, 0.15, 0.3]) },
    faults,
    presses: pressesOf(new Dice(seed, 'presses'), calmAt, faults),
  }
}

function stocksOf(seed: number, person: number): StockPlan[] {
  const dice = new Dice(seed, `stocks ${person}`)
  const free = [...listings].filter(({ base }) => base < 700_000)
  return Array.from({ length: STOCKS }, (_, n) => {
    const [listing] = free.splice(Math.floor(dice.unit() * free.length), 1)
    if (listing === undefined) throw new Error('too few stocks are listed')
    const { code, base } = listing
    return {
      code,
      maxBuyPrice: Math.floor(base * dice.pick([0.98, 1.02, 1.1])),
      maxBuyAmount: dice.pick([1_500_000, 3_000_000]) + 5 * base,
      buyUnitPrice: dice.pick([1, 200_000 + 2 * base, 400_000 + 2 * base]),
      buyPercent: -dice.pick([0.1, 0.3, 0.8]),
      sellPercent: dice.pick([0.1, 0.3, 0.8]),
      recoverLastBuyPrice: dice.chance(0.7),
      autoSellWithAvgPrice: n === STOCKS - 1,
      isSaved: true,
    }
  })
}

function faultsOf(dice: Dice, opensAt: number, calmAt: number): FaultPlan[] {
  const one = (name: FaultName, earliest: number): FaultPlan => {
    const [from, to] = FAULTS[name].lasts
    const forMs = Math.round(dice.between(from, to))
    const latest = calmAt - forMs
    return { name, at: Math.round(dice.between(Math.min(earliest, latest), latest)), forMs, draw: dice.unit() }
  }
  const nearOpening = Math.max(FIRST_FAULT_MS, opensAt - BEFORE_OPENING_MS)
  const faults = Array.from({ length: dice.whole(4, 6) }, () =>
    one(dice.pick(OTHERS), dice.chance(NEAR_OR_AFTER_OPENING) ? nearOpening : FIRST_FAULT_MS),
  )
  const [first, last] = twoOf(dice, WORST)
  // Without orders, the worst moment never comes.
  faults.push(one(first, Math.max(FIRST_FAULT_MS, opensAt)))
  // Nothing comes after the last one, and hides what it left: a restart mends much.
  faults.push(one(last, Number.POSITIVE_INFINITY))
  return faults.toSorted((one, other) => one.at - other.at)
}

/** Two different ones. */
function twoOf(dice: Dice, names: readonly FaultName[]): [FaultName, FaultName] {
  const first = dice.pick(names)
  return [first, dice.pick(names.filter((name) => name !== first))]
}

/** Many presses at once: orders wait behind each other, and stops come while they do. */
const RUSH: readonly PressName[] = [
  'sellStock',
  'sellStock',
  'sellAtMarket',
  'averageMode',
  'changeSettings',
  'haltStock',
  'intoShadow',
]
const RUSH_PRESSES = 14
/** Whose first stock goes into the shadow before most faults: what it decides then has gone through them. */
const IN_SHADOW_EARLY = 0.8

/** People press at the worst moment: most of them while something goes wrong. */
function pressesOf(dice: Dice, calmAt: number, faults: readonly FaultPlan[]): PressPlan[] {
  const names = Object.keys(PRESSES).filter((name): name is PressName => name in PRESSES)
  const weighted = names.flatMap((name) => Array.from({ length: PRESSES[name].weight }, () => name))
  const presses = Array.from({ length: dice.whole(20, 40) }, () => {
    const fault = dice.pick(faults)
    const at = dice.chance(0.6)
      ? fault.at + dice.between(-2_000, Math.min(fault.forMs, 30_000) + 3_000)
      : dice.between(FIRST_FAULT_MS, calmAt)
    return {
      name: dice.pick(weighted),
      at: Math.round(Math.min(Math.max(at, FIRST_FAULT_MS), calmAt)),
      person: dice.whole(0, PEOPLE - 1),
      stock: dice.whole(0, STOCKS - 1),
      draw: dice.unit(),
    }
  })
  for (const { at } of faults.filter(({ name }) => WORST.some((worst) => worst === name)))
    for (let n = 0; n < RUSH_PRESSES; n++) {
      const press = { name: dice.pick(RUSH), at: at + dice.whole(-1_000, 4_000), person: n % PEOPLE }
      presses.push({ ...press, stock: dice.whole(0, STOCKS - 1), draw: dice.unit() })
    }
  for (const { at } of faults.filter(({ name }) => name === 'takeoverWithOrdersOut'))
    for (let person = 0; person < PEOPLE; person++)
      if (dice.chance(0.5)) presses.push({ name: 'haltNewServer', at, person, stock: 0, draw: 0 })
  for (let person = 0; person < PEOPLE; person++)
    if (dice.chance(IN_SHADOW_EARLY)) {
      const press = { person, stock: dice.whole(0, STOCKS - 1), draw: dice.unit() }
      presses.push({ ...press, name: 'intoShadow', at: FIRST_FAULT_MS + dice.whole(0, 10_000) })
    }
  return presses.toSorted((one, other) => one.at - other.at)
}
