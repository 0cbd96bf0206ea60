import { settingsWarnings } from '@digger/core'
import { expect, test } from 'vitest'
import { PEOPLE, settingsOf } from '../src/people.ts'

test('nobody of the demonstration sells below what a sale costs', () => {
  const stocks = PEOPLE.flatMap((person) => person.stocks)
  const losing = stocks.filter((one) =>
    settingsWarnings({
      settings: settingsOf(one, 70_000),
      kind: 'stock',
      market: 'KOSPI',
      lots: [],
      heldAmount: 0,
      price: null,
      day: '20261120',
    }).some(({ code }) => code === 'losingTarget'),
  )
  expect(stocks.length).toBeGreaterThan(0)
  expect(losing).toEqual([])
})
