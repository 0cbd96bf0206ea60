import { expect, test } from 'vitest'
import { Releases } from './releases.ts'

test('shards that are let go in one moment, or while others are written, go in one statement', async () => {
  const written: (readonly number[])[] = []
  const first = Promise.withResolvers<void>()
  const releases = new Releases(async (shards) => {
    written.push(shards)
    await first.promise
  })
  const all = [releases.add(1), releases.add(2)]
  await Promise.resolve()
  all.push(releases.add(3), releases.add(4), releases.add(5))
  await Promise.resolve()
  expect(written).toEqual([[1, 2]])
  first.resolve()
  await Promise.all(all)
  expect(written).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  await releases.add(6)
  expect(written.at(-1)).toEqual([6])
})

test('one statement that fails fails for its shards, and the next is tried', async () => {
  let isAway = true
  const releases = new Releases(async () => {
    if (isAway) throw new Error('no connection')
  })
  const lost = [releases.add(1), releases.add(2)]
  expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  await expect(releases.add(3)).resolves.toBeUndefined()
})
