import { describe, expect, test } from 'vitest'
import type { Judge } from './judge.ts'
import { type Ended, expectedMinutes, inOrder, isCurrent, type Memory, nextWithin } from './order.ts'

const judge = (name: string, minutes = 2): Judge => ({
  name,
  minutes,
  shows: '',
  program: 'true',
  options: '',
  covers: ['.'],
})
const ended = (at: string, rest: Partial<Ended> = {}): Ended => ({
  passed: true,
  at,
  seconds: 60,
  seed: 1,
  code: 'now',
  ...rest,
})
const known = (memory: Memory, commit = 'a') => ({ memory, codeOf: () => 'now', commit })
const names = (judges: readonly Judge[]): string => judges.map(({ name }) => name).join(' ')

describe('the order of judges', () => {
  test('what failed, then what never ran or covers changed code, then the oldest', () => {
    const memory: Memory = {
      new: ended('2026-11-27T10:00:00Z'),
      old: ended('2026-11-20T10:00:00Z'),
      changed: ended('2026-11-27T10:00:00Z', { code: 'then' }),
      failed: ended('2026-11-27T10:00:00Z', { passed: false }),
    }
    const judges = ['new', 'old', 'changed', 'failed', 'never'].map((name) => judge(name))
    expect(names(inOrder(judges, known(memory)))).toBe('failed never changed old new')
  })

  test('those of one day come in another order for each commit, and in the same for the same', () => {
    const judges = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => judge(name))
    const orders = ['one', 'two', 'three'].map((commit) => names(inOrder(judges, known({}, commit))))
    expect(new Set(orders).size).toBe(3)
    expect(names(inOrder(judges.toReversed(), known({}, 'one')))).toBe(orders[0])
  })

  test('current is what passed on this very code', () => {
    expect(isCurrent(judge('a'), known({}))).toBe(false)
    expect(isCurrent(judge('a'), known({ a: ended('2026-11-20') }))).toBe(true)
    expect(isCurrent(judge('a'), known({ a: ended('2026-11-20', { code: 'then' }) }))).toBe(false)
    expect(isCurrent(judge('a'), known({ a: ended('2026-11-20', { passed: false }) }))).toBe(false)
  })
})

test('the first that is thought to end in time is next: as long as last time, or as it says', () => {
  const memory: Memory = { long: ended('2026-11-20', { seconds: 600 }) }
  const judges = [judge('long'), judge('short')]
  expect(expectedMinutes(judge('long'), memory)).toBe(10)
  expect(nextWithin(judges, 11, memory)?.name).toBe('long')
  expect(nextWithin(judges, 9, memory)?.name).toBe('short')
  expect(nextWithin(judges, 1, memory)).toBeNull()
})
