import { expect, test } from 'vitest'
import { CHECK_NAMES, Looks } from './looks.ts'

test('a check that let every occasion pass is named', () => {
  const looks = new Looks()
  for (const name of CHECK_NAMES) if (name !== 'fills and book') looks.count(name, true)
  expect([looks.count('fills and book', false), looks.count('fills and book', false)]).toEqual([false, false])
  expect(looks.blind).toEqual(['fills and book: not once, 2 occasions let pass'])
  expect(looks.count('fills and book', true)).toBe(true)
  expect(looks.blind).toEqual([])
  expect(looks.counts['fills and book']).toEqual({ looked: 1, skipped: 2 })
})

test('what people press for does not come in every run', () => {
  const looks = new Looks()
  for (const name of CHECK_NAMES) if (name !== 'cancels asked for') looks.count(name, true)
  expect(looks.blind).toEqual([])
})
