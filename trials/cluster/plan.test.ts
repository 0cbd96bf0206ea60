import { expect, test } from 'vitest'
import { KINDS, planOf, type PlannedFault } from './plan.ts'

const SIZE = { seed: 7, faults: 300, workers: 3, gateways: 1, short: false } as const
const endOf = ({ at, forMs }: PlannedFault): number => at + forMs

test('a seed gives the same faults each time, another seed others', () => {
  expect(planOf(SIZE)).toEqual(planOf(SIZE))
  expect(planOf({ ...SIZE, seed: 8 })).not.toEqual(planOf(SIZE))
})

test('a short run has every kind of fault, and all of them are over soon', () => {
  const plan = planOf({ ...SIZE, faults: KINDS.length, short: true })
  expect(plan.map(({ kind }) => kind).toSorted()).toEqual([...KINDS].toSorted())
  expect(Math.max(...plan.map(endOf))).toBeLessThan(60_000)
})

test('faults overlap, strike every worker, and some stand-still outlives every time-out', () => {
  const plan = planOf(SIZE)
  const overlapping = plan.filter((fault, n) => plan.slice(0, n).some((before) => endOf(before) > fault.at))
  expect(overlapping.length).toBeGreaterThan(200)
  expect(new Set(plan.filter(({ kind }) => kind === 'kill').map(({ member }) => member))).toEqual(new Set([0, 1, 2]))
  expect(Math.max(...plan.filter(({ kind }) => kind === 'freeze').map(({ forMs }) => forMs))).toBeGreaterThan(120_000)
})

test('of chosen kinds there are no others', () => {
  const plan = planOf({ ...SIZE, kinds: ['kill', 'freeze'] })
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['kill', 'freeze']))
})
