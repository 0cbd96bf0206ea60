import type { Clock } from '@digger/database'
import { afterEach, describe, expect, test } from 'vitest'
import { type MarketClock, SteadyClock } from '../src/broker/steady-clock.ts'
import { CODE, Exchange } from './exchange.ts'

/** A process that begins on a machine whose clock is hours off. */
const HOUR_MS = 3_600_000

let market: Exchange
afterEach(() => market.close())

/** Off until the broker's time sets it. */
class WrongClock implements MarketClock {
  isKnown = false
  #off: number
  readonly #right: Clock
  readonly #listeners: ((byMs: number) => void)[] = []

  constructor(right: Clock, off: number) {
    this.#right = right
    this.#off = off
  }

  now(): number {
    return this.#right.now() + this.#off
  }

  after(ms: number, run: () => void): () => void {
    return this.#right.after(ms, run)
  }

  onSet(listener: (byMs: number) => void): void {
    this.#listeners.push(listener)
  }

  set(): void {
    const by = -this.#off
    this.isKnown = true
    this.#off = 0
    for (const listener of this.#listeners) listener(by)
  }
}

/** Bought, with its sale resting at the broker; then the process ends, and the next one begins with its clock off. */
async function begunOff(clock: WrongClock): Promise<void> {
  market.sim.setPrice(CODE, 158_000)
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  expect(market.orders).toMatchObject([{ status: 'filled' }, { side: 'sell', status: 'open' }])
  market.clock = clock
  await market.restart()
}

const state = () => {
  const { armed } = market.engine.health.vitals()
  const [, sale] = market.orders
  return { armed, day: market.engine.book(market.userId).day, sale: sale?.status, sold: market.taken('sell').length }
}

test.each([15 * HOUR_MS, -15 * HOUR_MS])(
  '%i ms: a sale that rests is not taken for expired, no day begins, and nothing leaves until the time is known',
  async (off) => {
    market = await Exchange.open()
    const clock = new WrongClock(market.sim.clock, off)
    await begunOff(clock)
    await market.wait(30_000)
    expect(state()).toEqual({ armed: 0, day: '20260105', sale: 'open', sold: 1 })
    expect(await market.ask({ kind: 'checkBalance', code: CODE }).catch(String)).toContain('시각')
    clock.set()
    await market.wait(20_000)
    expect(state()).toEqual({ armed: 1, day: '20260105', sale: 'open', sold: 1 })
  },
)

test('it is known by the broker’s first reply: that sets it before any list is judged', async () => {
  market = await Exchange.open()
  const clock = new WrongClock(market.sim.clock, 15 * HOUR_MS)
  await begunOff(Object.assign(clock, { adjust: () => clock.isKnown || clock.set() }))
  await market.wait(20_000)
  expect(state()).toEqual({ armed: 1, day: '20260105', sale: 'open', sold: 1 })
})

describe('replyTime', () => {
  test.each([
    ['dated', true],
    ['undated', false],
  ] as const)('%s', async (replyTime, isDated) => {
    market = await Exchange.open({}, { assumptions: { replyTime } })
    const { headers } = await fetch(`${market.sim.url}/nothing`)
    expect(headers.has('date')).toBe(isDated)
  })

  test.each([
    ['by the socket, as soon as that says it', [20_000, 20_000], 30_000],
    ['by nothing: the clock of the machine has to do after a while', [1e9, 1e9], 120_000],
  ] as const)('undated, the time is known %s', async (_, pingPongMs, armedMs) => {
    market = await Exchange.open({}, { assumptions: { replyTime: 'undated', pingPongMs } })
    const now = (): number => market.sim.clock.now()
    market.clock = new SteadyClock(now, now)
    await market.restart()
    expect(market.engine.health.vitals().armed).toBe(0)
    await market.wait(armedMs)
    expect(market.engine.health.vitals().armed).toBe(1)
  })
})
