import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'

/** Two shares held, nothing resting, book and broker last agreed. */
const holding = (): Desk => new Desk({ autoSell: false }).hold([1, 2, 70_000]).quote(70_000)

test('of a stock that moved while the holdings were read they prove nothing, and the account is armed all the same', () => {
  const desk = holding()
  desk.do({ kind: 'linked' })
  expect(desk.account.view.connection.armed).toBe(false)
  const moving = { ...desk.snapshot([], [[3, 70_000]]), moved: [CODE] }
  for (let n = 0; n < 3; n += 1) {
    desk.wait(10_000).do({ kind: 'snapshot', snapshot: { ...moving, askedAt: desk.now } })
    expect([desk.stock.blocked, desk.account.view.stocks.suspectedMismatches.size]).toEqual([null, 0])
    expect(desk.account.view.connection.armed).toBe(true)
  }
  // It is looked at again within half a minute, not in ten.
  desk.wait(30_000).timer()
  expect(desk.effects).toContainEqual(expect.objectContaining({ kind: 'readLists', compare: true }))
  desk.read([], [[3, 70_000]])
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(1)
})

test('another stock that moved excuses nothing', () => {
  const desk = holding()
  desk.do({ kind: 'snapshot', snapshot: { ...desk.snapshot([], [[3, 70_000]]), moved: ['000660'] } })
  expect(desk.account.view.stocks.suspectedMismatches.size).toBe(1)
})
