import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { gate } from './gate.ts'
import { outlook } from './outlook.ts'

/** A lot of two shares at 70,000, whose target is 70,900; nobody has read the day's base and limits. */
test.each<[string, string | null, number | null, Partial<{ origin: 'person'; side: 'buy' }>]>([
  ['a target above the price rests', null, 70_800, {}],
  ['one that fills at once waits', 'limitsRead', 70_900, {}],
  ['the more above it', 'limitsRead', 99_000, {}],
  ['and before a price is known', 'limitsRead', null, {}],
  ['a person may sell', null, 70_900, { origin: 'person' }],
  ['nothing is bought', 'limitsRead', 70_900, { side: 'buy' }],
])('before the base is known: %s', (_name, check, price, over) => {
  const desk = new Desk({ autoSell: false }).hold([1, 2, 70_000])
  desk.unseen = undefined
  if (price !== null) desk.quote(price, { band: null })
  const { stock, ctx } = desk
  const lots = over.side === 'buy' ? [] : [1]
  const sale = { stock, side: 'sell', origin: 'auto', type: 'limit', price: 70_900, count: 2, lotIds: lots } as const
  const verdict = gate(desk.account, ctx, { ...sale, reservedPrice: 0, ...over })
  expect(verdict.ok ? null : verdict.reason.code).toBe(check)
})

test('a price that is not known is not called limits that were not read', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000])
  desk.unseen = undefined
  const reason = outlook(desk.account, desk.ctx, CODE).reasons.find(({ side }) => side === 'sell')
  expect(reason).toMatchObject({ code: 'limitsRead', text: expect.stringContaining('현재가를 알 수 없어') })
})
