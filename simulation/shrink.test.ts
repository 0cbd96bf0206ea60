import { expect, test } from 'vitest'
import { commandOf, partOf, WHOLE } from './part.ts'
import type { Plan } from './planned.ts'
import { Shrinking, smallestOf, type Fate } from './shrink.ts'
import { optionsOf } from './options.ts'

const MINUTE = 60_000
const stock = {
  code: '005930',
  maxBuyPrice: 70_000,
  maxBuyAmount: 1_000_000,
  buyUnitPrice: 1,
  buyPercent: -0.1,
  sellPercent: 0.1,
  recoverLastBuyPrice: true,
  autoSellWithAvgPrice: false,
  isSaved: true,
}
const PLAN: Plan = {
  seed: 7,
  start: '2026-11-23T08:48:30+09:00',
  calmAt: 26 * MINUTE,
  endAt: 35 * MINUTE,
  accounts: [{ stocks: [stock, stock, stock] }, { stocks: [stock, stock, stock] }],
  market: { ticksPerSecond: 0.1, volatility: 0.1 },
  faults: Array.from({ length: 7 }, (_, place) => ({
    name: 'kill',
    at: (place + 2) * MINUTE,
    forMs: 1,
    draw: place / 7,
  })),
  presses: Array.from({ length: 30 }, (_, place) => ({
    name: 'haltAll',
    at: 2 * MINUTE + place * 1_000,
    person: 0,
    stock: 0,
    draw: place / 30,
  })),
}

const has = (list: readonly { readonly draw: number }[], place: number, of: number): boolean =>
  list.some(({ draw }) => draw === place / of)

async function smallestPart(run: (plan: Plan) => Fate, maxRuns = Number.POSITIVE_INFINITY) {
  const shrinking = new Shrinking(PLAN, WHOLE, run(PLAN), {
    run: (plan) => Promise.resolve(run(plan)),
    mayGoOn: () => shrinking.runs < maxRuns,
    tried: () => undefined,
  })
  return { part: await shrinking.smallest(), runs: shrinking.runs }
}

test('what is not needed is left out, two things that are needed together stay', async () => {
  const kept = await smallestOf('abcdefghij'.split(''), (rest) =>
    Promise.resolve(rest.includes('c') && rest.includes('h')),
  )
  expect(kept).toEqual(['c', 'h'])
  expect(await smallestOf([1, 2, 3], () => Promise.resolve(true))).toEqual([])
})

test('a failure under faults keeps one fault, two presses, one stock, and ends where it fails', async () => {
  const { part, runs } = await smallestPart((plan) => {
    const isBroken =
      has(plan.faults, 3, 7) &&
      has(plan.presses, 4, 30) &&
      has(plan.presses, 21, 30) &&
      plan.accounts[1]?.stocks[1]?.isSaved === true
    return { promise: isBroken ? 'no double order' : null, at: 6.5 * MINUTE }
  })
  expect(part).toEqual({ faults: [3], presses: [4, 21], stocks: [4], calmAt: null, endAt: 6.5 * MINUTE })
  expect(runs).toBeLessThan(60)
})

test('when the time is over the smallest part so far still fails', async () => {
  const run = (plan: Plan): Fate => ({
    promise: has(plan.faults, 3, 7) && has(plan.presses, 4, 30) ? 'no double order' : null,
    at: 6.5 * MINUTE,
  })
  const { part, runs } = await smallestPart(run, 8)
  expect(runs).toBe(8)
  expect(part).toMatchObject({ stocks: null, endAt: 6.5 * MINUTE })
  expect(part.faults?.length).toBeLessThan(7)
  expect(run(partOf(PLAN, part)).promise).toBe('no double order')
})

test('another promise is another failure', async () => {
  const { part } = await smallestPart((plan) => ({
    promise: has(plan.faults, 3, 7) ? 'no double order' : 'armed in time',
    at: 26 * MINUTE,
  }))
  expect(part.faults).toEqual([3])
})

test('what fails in calm is brought forward to the last thing that is needed', async () => {
  const { part } = await smallestPart((plan) => ({
    promise: has(plan.faults, 3, 7) ? 'armed in time' : null,
    at: plan.calmAt + MINUTE,
  }))
  expect(part.faults).toEqual([3])
  expect(part.calmAt).toBeLessThan(6 * MINUTE)
  expect(part.endAt).toBe((part.calmAt ?? 0) + MINUTE)
})

test('the command of a part makes the same part', () => {
  const part = { faults: [3], presses: [], stocks: [4, 5], calmAt: null, endAt: 390_000 }
  const command = commandOf(7, part)
  expect(command).toBe('npm run prove -- whole --seed 7 --faults 3 --presses none --stocks 4,5 --end-at 390000')
  expect(optionsOf(command.split(' ').slice(5))).toMatchObject({ first: 7, seeds: 1, part })
  expect(partOf(PLAN, part).accounts[0]?.stocks).toEqual(
    PLAN.accounts[0]?.stocks.map((one) => ({ ...one, isSaved: false })),
  )
})

test('the whole of a plan is the plan', () => expect(partOf(PLAN, WHOLE)).toEqual(PLAN))

test('an option nobody knows is answered with all there are', () => {
  expect(() => optionsOf(['--sede', '1'])).toThrow(/--sede[^]*--first N/)
  expect(() => optionsOf(['--seed', 'one'])).toThrow('"one" is no number')
  expect(() => optionsOf(['--resume'])).toThrow('--results')
  expect(() => optionsOf(['--results', 'a', '--faults', 'none'])).toThrow('a part of a plan shows nothing')
})
