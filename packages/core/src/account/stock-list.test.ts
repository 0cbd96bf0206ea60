import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'

test('adding a stock, which is version 0 of it, changes no stock that is there, and sells nothing', () => {
  const desk = new Desk({ autoSell: false, autoBuy: false }).hold([1, 10, 60_000]).quote(69_000)
  const { settings } = desk.stock
  const added = { ...settings, autoSell: true, sellPercent: 1 }
  const result = desk.ask({ kind: 'updateStock', code: CODE, version: 0, settings: added, listing: null })
  expect(result).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect([desk.stock.settings, desk.wait(1_000).timer().sent]).toEqual([settings, []])
})

test('a stock that was deleted while its shares were in doubt is doubted no more', () => {
  const desk = new Desk({ autoSell: false, autoBuy: false })
  desk.wait(601_000).read([], [[5, 70_000]])
  expect(desk.ask({ kind: 'deleteStock', code: CODE })).toMatchObject({ ok: true })
  let reads = 0
  for (let second = 0; second < 120; second++) {
    desk.wait(1_000).timer()
    reads += desk.reads
    if (desk.reads > 0) desk.read([], [[5, 70_000]])
  }
  expect(reads).toBe(0)
})
