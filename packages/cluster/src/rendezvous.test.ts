import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chosenOf } from './rendezvous.ts'

const shards = Array.from({ length: 256 }, (_, shard) => shard)
const ids = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 9 })

test('everybody reckons the same, in whatever order the workers are told', () => {
  fc.assert(
    fc.property(ids, (workers) => {
      const backwards = workers.toReversed()
      for (const shard of shards) expect(chosenOf(shard, workers)).toBe(chosenOf(shard, backwards))
    }),
    { numRuns: 20 },
  )
})

test('where one goes only its shards move, and every other worker takes some of them where there are enough', () => {
  fc.assert(
    fc.property(ids, ([gone = '', ...rest]) => {
      const before = shards.map((shard) => chosenOf(shard, [gone, ...rest]))
      const after = shards.map((shard) => chosenOf(shard, rest))
      const stayed = shards.filter((shard) => before[shard] !== gone)
      expect(stayed.map((shard) => after[shard])).toEqual(stayed.map((shard) => before[shard]))
      expect(after).not.toContain(gone)
    }),
    { numRuns: 20 },
  )
})

test('three workers have about a third each', () => {
  const counts = Map.groupBy(shards, (shard) => chosenOf(shard, ['a1b2c3d4', 'b2c3d4e5', 'c3d4e5f6']))
  for (const [, own] of counts) expect(own.length).toBeGreaterThan(55)
  expect(counts.size).toBe(3)
})

test('nobody is there', () => {
  expect(chosenOf(7, [])).toBeNull()
})
