import { expect, test, vi } from 'vitest'
import { Turns } from './turns.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('so many pieces of work are done at once, the others in their order, as many in each later turn', async () => {
  const turns = new Turns(2)
  const done: number[] = []
  for (let n = 1; n <= 5; n += 1) turns.run(() => done.push(n))
  expect([done, turns.isBusy]).toEqual([[1, 2], true])
  await turn()
  expect(done).toEqual([1, 2, 3, 4])
  // What comes now stands behind what waits.
  turns.run(() => done.push(6))
  await turn()
  expect([done, turns.isBusy]).toEqual([[1, 2, 3, 4, 5, 6], false])
  turns.run(() => done.push(7))
  await turn()
  expect(done.at(-1)).toBe(7)
})

test('one that fails keeps no other from being done', () => {
  const later: (() => void)[] = []
  vi.stubGlobal('setImmediate', (run: () => void) => later.push(run))
  const turns = new Turns(1)
  const done: number[] = []
  turns.run(() => done.push(1))
  turns.run(() => {
    throw new Error('failed')
  })
  turns.run(() => done.push(2))
  expect(() => later.shift()?.()).toThrow('failed')
  later.shift()?.()
  expect([done, later]).toEqual([[1, 2], []])
  vi.unstubAllGlobals()
})

test('what comes over a socket is not kept waiting for all of it', async () => {
  const turns = new Turns(1)
  const order: string[] = []
  const all = Promise.all(Array.from({ length: 10 }, () => turns.own().then(() => order.push('work'))))
  setImmediate(() => order.push('other'))
  await all
  expect(order.indexOf('other')).toBeLessThan(3)
  expect(order.filter((name) => name === 'work')).toHaveLength(10)
})
