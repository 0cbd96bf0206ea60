import type { LiveEvent, Stock, Trade } from '@digger/contract'
import { describe, expect, test } from 'vitest'
import { TestClock } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { Bundle, frameOf } from './bundle.ts'
import { Channel, type Sink } from './channel.ts'

const AT = '2026-11-20T10:00:00.000+09:00'
const price = (code: string, won: number): LiveEvent => ({
  kind: 'prices',
  prices: [{ code, price: won, at: AT, base: null }],
})

const trade = (id: number, change: Partial<Trade> = {}): Trade => ({
  id,
  buyDateTime: AT,
  buyCount: 1,
  buyPrice: 70_000,
  sellDateTime: null,
  sellPrice: null,
  gainAmount: null,
  gainRatio: null,
  netGainAmount: null,
  buying: false,
  takenOver: false,
  sellOrderId: null,
  targetPrice: null,
  ...change,
})
const stock = (version: number): Stock => ({
  userId: 'u1',
  code: '005930',
  name: '삼성전자',
  nxt: true,
  kind: 'stock',
  price: null,
  priceAt: null,
  basePrice: null,
  today: { realised: 0, realisedNet: 0, open: 0, heldBefore: 0, boughtAmount: 0 },
  usedAmount: 0,
  buyingAmount: 0,
  remainCount: 0,
  remainAmount: 0,
  accGainAmount: 0,
  gainAmount: 0,
  gainRatio: 0,
  ...SETTINGS,
  lastBuyPrice: null,
  priceSubscribed: true,
  version,
  nextBuyPrice: null,
  nextSellPrice: null,
  reasons: [],
  due: null,
  stop: 'active',
  blocked: null,
  frozen: null,
  kept: 0,
  takenOver: { count: 0, amount: 0 },
  expected: null,
  announced: null,
  statuses: [],
  statusesAt: null,
  checkedAt: null,
  updatedAt: AT,
})
const trades = (...list: Trade[]): LiveEvent => ({ kind: 'trades', code: '005930', trades: list })
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => trade(from + index))

/** A browser that reads as fast as the test lets it. */
class Browser implements Sink {
  readonly frames: string[] = []
  reads = true
  ended = false
  write(frame: string): boolean {
    this.frames.push(frame)
    return this.reads
  }
  end(): void {
    this.ended = true
  }
  get prices(): number[] {
    return this.frames.flatMap((frame) => [...frame.matchAll(/"price":(\d+)/g)].map(([, won]) => Number(won)))
  }
}

describe('a bundle', () => {
  test('keeps the newest of everything, and names each kind of news once', () => {
    const bundle = new Bundle()
    const events: LiveEvent[] = [
      price('005930', 70_000),
      { kind: 'orders' },
      price('000660', 150_000),
      trades(trade(1), trade(2)),
      price('005930', 70_100),
      trades(trade(2, { sellOrderId: 5 }), trade(3)),
      { kind: 'trades', code: '000660', trades: [trade(2)] },
      { kind: 'orders' },
      { kind: 'limits' },
      { kind: 'deposit' },
      { kind: 'limits' },
      { kind: 'deposit' },
      { kind: 'progress', task: '매도', done: 1, total: 3 },
      { kind: 'progress', task: '매도', done: 2, total: 3 },
      { kind: 'socket', connected: true },
    ]
    for (const event of events) bundle.add(event)
    expect(bundle.events()).toEqual([
      { kind: 'limits' },
      { kind: 'socket', connected: true },
      trades(trade(1), trade(2, { sellOrderId: 5 }), trade(3)),
      { kind: 'trades', code: '000660', trades: [trade(2)] },
      { kind: 'orders' },
      { kind: 'deposit' },
      { kind: 'progress', task: '매도', done: 2, total: 3 },
      {
        kind: 'prices',
        prices: [
          { code: '005930', price: 70_100, at: AT, base: null },
          { code: '000660', price: 150_000, at: AT, base: null },
        ],
      },
    ])
    bundle.clear()
    expect(bundle.events()).toEqual([])
  })

  test('has a stock’s trades read anew when one of its events does, whatever comes before or after', () => {
    const bundle = new Bundle()
    const anew: LiveEvent = { kind: 'trades', code: '005930', trades: null }
    for (const event of [trades(trade(1)), anew, trades(trade(2))]) bundle.add(event)
    expect(bundle.events()).toEqual([anew])
    bundle.clear()
    bundle.add(trades(trade(3)))
    expect(bundle.events()).toEqual([trades(trade(3))])
  })

  test('has a deleted stock go before the one that was added again, and drops what was known of it', () => {
    const bundle = new Bundle()
    const [old, again] = [stock(7), stock(1)]
    bundle.add({ kind: 'stocks', stocks: [old] })
    bundle.add({ kind: 'removed', code: '005930' })
    expect(bundle.events()).toEqual([{ kind: 'removed', code: '005930' }])
    bundle.add({ kind: 'stocks', stocks: [again] })
    expect(bundle.events()).toEqual([
      { kind: 'removed', code: '005930' },
      { kind: 'stocks', stocks: [again] },
    ])
    bundle.clear()
    expect(bundle.events()).toEqual([])
  })

  test('carries 200 trades of a stock at most; more are read anew', () => {
    const bundle = new Bundle()
    bundle.add(trades(...ids(1, 150)))
    bundle.add(trades(...ids(101, 200)))
    expect(bundle.events()).toEqual([trades(...ids(1, 200))])
    bundle.add(trades(trade(201)))
    expect(bundle.events()).toEqual([{ kind: 'trades', code: '005930', trades: null }])
  })

  test('becomes server-sent events', () => {
    expect(frameOf([{ kind: 'orders' }, { kind: 'trades', code: '005930', trades: null }])).toBe(
      'event: orders\ndata: {}\n\nevent: trades\ndata: {"code":"005930","trades":null}\n\n',
    )
  })
})

describe('a channel', () => {
  test('sends the first change at once and then ten bundles a second at most, the last value always', () => {
    const clock = new TestClock()
    const channel = new Channel(clock)
    const browser = new Browser()
    channel.add(browser)
    for (let change = 1; change <= 1_000; change++) {
      channel.publish(price('005930', 70_000 + change))
      clock.advance(1)
    }
    clock.advance(100)
    expect(browser.frames.length).toBeLessThanOrEqual(11)
    expect(browser.prices[0]).toBe(70_001)
    expect(browser.prices.at(-1)).toBe(71_000)
  })

  test('writes the same text to every browser, made once', () => {
    const channel = new Channel(new TestClock())
    const browsers = [new Browser(), new Browser()]
    for (const browser of browsers) channel.add(browser)
    let made = 0
    const counted = { code: '005930', at: AT, price: 0, base: null, toJSON: () => ({ code: '005930', made: ++made }) }
    channel.publish({ kind: 'prices', prices: [counted] })
    expect(made).toBe(1)
    expect(browsers[0]?.frames).toEqual(browsers[1]?.frames)
  })

  test('bundles of other users that differ in one price, or have one more, differ', () => {
    const clock = new TestClock()
    const [one, two, three] = [new Channel(clock), new Channel(clock), new Channel(clock)]
    const browsers = [one, two, three].map((channel) => {
      const browser = new Browser()
      channel.add(browser)
      channel.publish({ kind: 'orders' })
      return browser
    })
    const [shared, other] = [price('005930', 70_000), price('000660', 150_000)]
    for (const channel of [one, two, three]) channel.publish(shared)
    two.publish(other)
    three.publish(price('005930', 70_001))
    clock.advance(100)
    expect(browsers.map(({ prices }) => prices)).toEqual([[70_000], [70_000, 150_000], [70_001]])
  })

  test('a browser that does not keep up holds nobody up, and gets the latest of all it missed', () => {
    const clock = new TestClock()
    const channel = new Channel(clock)
    const [slow, fast] = [new Browser(), new Browser()]
    channel.add(slow)
    channel.add(fast)
    slow.reads = false
    for (let change = 1; change <= 50; change++) {
      channel.publish(price('005930', change))
      channel.publish(price('000660', 1_000 + change))
      clock.advance(100)
    }
    expect(fast.prices.slice(-2).sort((a, b) => a - b)).toEqual([50, 1_050])
    expect(slow.frames).toHaveLength(1)
    slow.reads = true
    channel.drained(slow)
    expect(slow.frames).toHaveLength(2)
    expect(slow.prices.slice(-2).sort((a, b) => a - b)).toEqual([50, 1_050])
    channel.publish(price('005930', 99))
    clock.advance(100)
    expect(slow.prices.at(-1)).toBe(99)
  })

  test('beats only where nothing waits, and ends every stream when it closes', () => {
    const channel = new Channel(new TestClock())
    const browser = new Browser()
    channel.add(browser)
    channel.beat()
    expect(browser.frames).toEqual([': beat\n\n'])
    channel.close()
    expect([browser.ended, channel.size]).toEqual([true, 0])
  })
})
