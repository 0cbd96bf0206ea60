import { Morning } from '@digger/contract'
import { expect, test } from 'vitest'
import { IDLE, ITEM_TITLES, STATE_WORDS, SUMMARIES, summaryOf } from './morningText.ts'

test('each state of the contract has a word, a sign and a sentence of its own', () => {
  const states = Morning.shape.state.options
  expect(Object.keys(STATE_WORDS).toSorted()).toEqual(states.toSorted())
  expect(new Set(Object.values(STATE_WORDS).map(({ word, icon }) => `${word} ${icon}`)).size).toBe(states.length)
  for (const { title, text } of [...Object.values(SUMMARIES), ...Object.values(IDLE)])
    for (const line of [title, text]) expect(line).toMatch(/다\.$/)
  expect(SUMMARIES.red.tone).not.toBe(SUMMARIES.ok.tone)
})

test('each item has a title of its own', () =>
  expect(new Set(Object.values(ITEM_TITLES)).size).toBe(Object.keys(ITEM_TITLES).length))

test.each(['ok', 'notApplicable'] as const)('%s: what is stopped or only rehearsed is not said to trade', (state) => {
  expect(summaryOf({ state }).title).toBe('자동으로 매매할 준비가 되었습니다.')
  expect(summaryOf({ state, idle: 'shadow' }).text).toContain('주문은 보내지 않습니다')
  expect(summaryOf({ state, idle: 'halt' }).text).toContain('멈춤을 풀면')
})

test('what is not ready is said first, whatever else holds', () => {
  expect(summaryOf({ state: 'red', idle: 'halt' })).toBe(SUMMARIES.red)
  expect(summaryOf({ state: 'waiting', idle: 'shadow' })).toBe(SUMMARIES.waiting)
})

test('by night nobody is promised that it takes seconds', () =>
  expect(SUMMARIES.waiting.text).toContain('아침에야 나오는 것은 그때까지 기다립니다'))
