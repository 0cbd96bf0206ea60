import { expect, test } from 'vitest'
import { Locks } from './locks.ts'

const session = (pid: number) => ({ pid, applicationName: `session ${pid}` })
const [a, b, c, d] = [session(1), session(2), session(3), session(4)] as const

test('who shares a lock waits for the one who has all of it, and all of them get it together', () => {
  const locks = new Locks()
  const got: string[] = []
  expect(locks.tryTake('1', a)).toBe(true)
  for (const one of [b, c]) locks.take('1', one, () => got.push(one === b ? 'b' : 'c'), 'shared')
  locks.take('1', d, () => got.push('d'))
  expect([locks.tryTake('1', c, 'shared'), got]).toEqual([false, []])
  locks.giveBackAll(a)
  expect(got).toEqual(['b', 'c'])
  locks.giveBackAll(b)
  expect(got).toEqual(['b', 'c'])
  locks.giveBackAll(c)
  expect([got, locks.holder('1')]).toEqual([['b', 'c', 'd'], d])
})

test('who comes to share goes behind the one who waits for all of it, and comes when that one gives up', () => {
  const locks = new Locks()
  const got: string[] = []
  locks.take('1', a, () => got.push('a'), 'shared')
  const giveUp = locks.take('1', b, () => got.push('b'))
  locks.take('1', c, () => got.push('c'), 'shared')
  expect([got, locks.tryTake('1', d, 'shared')]).toEqual([['a'], false])
  giveUp()
  expect(got).toEqual(['a', 'c'])
  expect(locks.all().map(({ owner }) => owner)).toEqual([a, c])
})

test('what was taken twice is given back twice', () => {
  const locks = new Locks()
  locks.tryTake('1', a)
  locks.tryTake('1', a, 'shared')
  expect([locks.giveBack('1', a), locks.tryTake('1', b, 'shared')]).toEqual([true, false])
  expect([locks.giveBack('1', a), locks.giveBack('1', a), locks.tryTake('1', b, 'shared')]).toEqual([true, false, true])
})
