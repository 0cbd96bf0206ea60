import type { Stock } from '@digger/contract'
import { assert, date, nat, option, property } from 'fast-check'
import { expect, test } from 'vitest'
import { priced } from '../../live/applyEvent.ts'
import { isSameBesidePrice } from './besidePrice.ts'
import { newStock } from './draft.ts'

const stock: Stock = { ...newStock('u1', '005930'), price: 70_000, basePrice: 69_000 }

const press = () => undefined

test('an event of prices changes nothing else', () => {
  assert(
    property(nat(), option(nat()), date({ noInvalidDate: true }), (price, base, at) => {
      const event = { code: stock.code, price, base, at: at.toISOString() }
      const next = priced(stock, new Map([[stock.code, event]]))
      expect(next).toMatchObject({ price, basePrice: base })
      expect(isSameBesidePrice({ stock }, { stock: next })).toBe(true)
    }),
  )
})

test.each<[string, Partial<Stock>]>([
  ['a fill', { remainCount: 1 }],
  ['a switch', { autoBuy: !stock.autoBuy }],
  ['a stop', { stop: 'halt' }],
  ['an equal list that was read anew', { reasons: [...stock.reasons] }],
])('%s is drawn, with or without a new price', (_name, change) => {
  expect(isSameBesidePrice({ stock }, { stock: { ...stock, ...change } })).toBe(false)
  expect(isSameBesidePrice({ stock }, { stock: { ...stock, ...change, price: 1 } })).toBe(false)
})

test('what else is given counts as well', () => {
  expect(isSameBesidePrice({ stock, wide: true, press }, { stock, wide: true, press })).toBe(true)
  expect(isSameBesidePrice({ stock, wide: true, press }, { stock, wide: false, press })).toBe(false)
  expect(isSameBesidePrice({ stock, press }, { stock, press: () => undefined })).toBe(false)
})
