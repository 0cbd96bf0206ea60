import { expect, test } from 'vitest'
import { strictest, strictestOf } from './stops.ts'

test('the strictest stop rules', () => {
  expect(strictest('active', 'reduce')).toBe('reduce')
  expect(strictest('halt', 'active')).toBe('halt')
  expect(strictest('active', 'active')).toBe('active')
})

test('a server that may be another one stops the whole account', () => {
  const stops = { server: 'active', serverReason: null, user: 'reduce', stocks: [], reached: [] } as const
  expect(strictestOf({ ...stops, stocks: [], reached: [], otherServer: null })).toBe('reduce')
  expect(strictestOf({ ...stops, stocks: [], reached: [], otherServer: { text: '', at: '' } })).toBe('halt')
})
