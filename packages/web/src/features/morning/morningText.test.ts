import { Morning } from '@digger/contract'
import { expect, test } from 'vitest'
import { ITEM_TITLES, STATE_WORDS, SUMMARIES } from './morningText.ts'

test('each state of the contract has a word, a sign and a sentence of its own', () => {
  const states = Morning.shape.state.options
  expect(Object.keys(STATE_WORDS).toSorted()).toEqual(states.toSorted())
  expect(new Set(Object.values(STATE_WORDS).map(({ word, icon }) => `${word} ${icon}`)).size).toBe(states.length)
  for (const { title, text } of Object.values(SUMMARIES))
    for (const line of [title, text]) expect(line).toMatch(/다\.$/)
  expect(SUMMARIES.red.tone).not.toBe(SUMMARIES.ok.tone)
})

test('each item has a title of its own', () =>
  expect(new Set(Object.values(ITEM_TITLES)).size).toBe(Object.keys(ITEM_TITLES).length))
