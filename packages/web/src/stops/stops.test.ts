import { expect, test } from 'vitest'
import { strictest } from './stops.ts'

test('the strictest stop rules', () => {
  expect(strictest('active', 'reduce')).toBe('reduce')
  expect(strictest('halt', 'active')).toBe('halt')
  expect(strictest('active', 'active')).toBe('active')
})
