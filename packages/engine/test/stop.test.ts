import { channel } from 'node:diagnostics_channel'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Stop } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import { z } from 'zod'
import { Exchange, ladder } from './exchange.ts'

/** Twelve stocks that all want to buy at once, through a key that lets an order go every 400 ms. */
const CODES = [
  '005930',
  '000660',
  '035720',
  '005380',
  '069500',
  '247540',
  '035420',
  '000270',
  '068270',
  '051910',
  '105560',
  '055550',
]
const ORDER_EVERY_MS = 400
/** Orders that queue when the stop is set, at least. */
const QUEUED = 4

const ORDER_PATH = /order-cash/
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let market: Exchange
/** Moves by hand: while it stands, orders queue. */
let spacing: TestClock
/** Codes of order requests in the order of their socket writes. */
let written: string[]
const Written = z.object({ request: z.object({ path: z.string(), body: z.instanceof(Uint8Array).nullish() }) })
const recordOrder = (message: unknown): void => {
  const { request } = Written.parse(message)
  if (!ORDER_PATH.test(request.path)) return
  const body = Buffer.from(request.body ?? []).toString()
  written.push(/"PDNO":"(\d{6})"/.exec(body)?.[1] ?? '?')
}

beforeEach(async () => {
  written = []
  channel('undici:client:sendHeaders').subscribe(recordOrder)
  spacing = new TestClock()
  market = await Exchange.open({ orderSpacingMs: ORDER_EVERY_MS }, { spacing })
  await everyStockWaits()
})
afterEach(async () => {
  channel('undici:client:sendHeaders').unsubscribe(recordOrder)
  await market.close()
})

/** Every stock is watched, has a live price, and would buy one percent below it. */
async function everyStockWaits(): Promise<void> {
  const codes = CODES.filter((code) => market.sim.price(code) > 0)
  for (const code of codes) {
    const price = market.sim.price(code)
    await market.engine.ask(market.userId, {
      kind: 'updateStock',
      code,
      version: null,
      settings: { ...ladder, maxBuyPrice: price * 2, buyUnitPrice: 1, lastBuyPrice: price, autoSell: false },
      listing: { issue: { code, kind: code === '069500' ? 'etf' : 'stock', market: 'KOSPI', nxt: true }, name: code },
    })
  }
  while (market.sim.registered(market.credentials.appKey).length <= codes.length) await turn()
  for (const code of codes) market.sim.setPrice(code, market.sim.price(code))
  await market.wait(2_000)
}

/** The whole market falls: every stock wants its order now. Resolves when a few have left and the rest queue for slots. */
async function fall(): Promise<void> {
  for (const code of CODES) market.sim.setPrice(code, Math.floor(market.sim.price(code) * 0.97))
  while (written.length === 0 || waiting().length < QUEUED) await turn()
}

async function nextSlot(): Promise<false> {
  spacing.advance(ORDER_EVERY_MS)
  await turn()
  return false
}

/** Slots come from now on, as fast as they can be used. */
async function slotsComeDuring(work: Promise<void>): Promise<void> {
  const done = work.then(() => true)
  while (!(await Promise.race([done, nextSlot()])));
}

const waiting = (): string[] =>
  market.orders
    .filter((order) => order.status === 'intended' && !written.includes(order.code))
    .map((order) => order.code)

async function set(level: 'server' | 'user' | 'stock', code: string, stop: Stop): Promise<unknown> {
  if (level === 'server') return market.engine.setServerStop(stop)
  return market.engine.ask(market.userId, { kind: 'setStop', level, code: level === 'stock' ? code : null, stop })
}

describe.each(['server', 'user', 'stock'] as const)(
  'a stop of the %s, while orders queue for their rate slots',
  (level) => {
    test.each(['halt', 'reduce'] as const)('%s: not one more leaves, from the very turn it is set', async (stop) => {
      await fall()
      const before = waiting()
      const held = level === 'stock' ? before.slice(-1) : CODES
      const left = written.length
      // Not awaited: what counts is the turn in which it was set.
      const done = set(level, held[0] ?? '', stop)
      await slotsComeDuring(market.settle())
      await done
      await slotsComeDuring(market.wait(3_000))
      const after = written.slice(left)
      expect(after.filter((code) => held.includes(code))).toEqual([])
      // The others go on: a stop of one stock is no stop of all.
      expect(after.length > 2).toBe(level === 'stock')
      const reached = market.taken('buy').map((order) => order.code)
      expect([...reached].sort()).toEqual([...written].sort())
      for (const code of before.filter((one) => held.includes(one)))
        expect(market.orders.find((order) => order.code === code)?.status).toBe('notPlaced')
    })

    test('it holds after a restart, and letting go frees the orders', async () => {
      const code = CODES[0] ?? ''
      await set(level, code, 'halt')
      await market.restart()
      await market.wait(2_000)
      for (const one of CODES) market.sim.setPrice(one, market.sim.price(one))
      await market.settle()
      for (const one of CODES) market.sim.setPrice(one, Math.floor(market.sim.price(one) * 0.97))
      await slotsComeDuring(market.wait(3_000))
      const held = level === 'stock' ? [code] : CODES
      expect(written.filter((one) => held.includes(one))).toEqual([])
      expect(written.length > 5).toBe(level === 'stock')
      await set(level, code, 'active')
      market.sim.setPrice(code, market.sim.price(code))
      await slotsComeDuring(market.settle())
      expect(written).toContain(code)
    })
  },
)
