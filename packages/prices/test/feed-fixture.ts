import { emptyBook, evolve, knownTimetable, kstInstant, type Book, type PricedBy } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import type { BackgroundCalls, KisQuote, KisRest, MarketOf } from '@digger/kis'
import { judgeBy } from '../src/base-move.ts'
import { Announcements } from '../src/announcements.ts'
import type { ClosingPrice } from '../src/closing-prices.ts'
import { PriceFeed } from '../src/price-feed.ts'
import { AllPrices } from '../src/all-prices.ts'
import { Prices } from '../src/prices.ts'
import { givenUp } from './fake-kis.ts'
import { SETTINGS } from './settings.ts'
import { FakeSocket } from './fake-socket.ts'
import { statusesBy } from './statuses-by.ts'

export const codeOf = (n: number): string => String(n).padStart(6, '0')
export const quote = (code: string, change: Partial<KisQuote> = {}): KisQuote => {
  const day = { base: 70_000, open: 70_000, high: 70_000, low: 70_000, upper: 91_000, lower: 49_000 }
  return { code, price: 70_000, ...day, volume: 0, halted: false, statuses: [], ...change }
}
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A feed whose broker answers when and what the test says. */
export class FeedFixture {
  readonly clock = new TestClock()
  readonly socket = new FakeSocket()
  readonly problems: unknown[] = []
  /** Codes asked for, oldest first, and the most that were asked at once. */
  asked: string[] = []
  most = 0
  /** Per code: what the broker answers; an error is thrown, `null` is an unknown code. */
  readonly answers = new Map<string, KisQuote | Error | null>()
  /** What it answers otherwise. */
  answer = (code: string, _market: MarketOf): KisQuote => quote(code)
  /** Set: nothing is answered before it resolves. */
  hold: Promise<void> | null = null
  readonly charts: string[] = []
  /** Charts do not answer until they are given up. */
  chartsHang = false
  /** Set: charts are answered once it resolves. */
  holdCharts: Promise<void> | null = null
  /** Set: what charts are refused with. */
  chartsRefused: Error | null = null
  /** The most charts that were asked for at once. */
  mostCharts = 0
  #chartsOut = 0
  /** What the chart closed with; null: it has no such day. */
  chart: number | null = null
  /** Bars of more than one day, adjusted ones apart. */
  bars: readonly { readonly day: string; readonly close: number; readonly adjusted?: number }[] = []
  readonly closes = new Map<string, ClosingPrice>()
  readonly closings = {
    of: (code: string) => this.closes.get(code),
    note: (code: string, closing: ClosingPrice) => void this.closes.set(code, closing),
  }
  readonly announcements = new Announcements()
  readonly timetables = { current: knownTimetable('always') }
  readonly #judge = judgeBy({
    closings: this.closings,
    announcements: this.announcements,
    timetables: this.timetables,
    clock: this.clock,
  })
  /** Stocks of which something else was told than before. */
  readonly designated: string[] = []
  readonly all = new AllPrices(
    () => new Prices({ priceChanged: () => undefined }, this.clock, this.#judge),
    statusesBy(this.clock, (code) => void this.designated.push(code)),
  )
  readonly prices = this.all.of('KRX')
  /** Whose trades count. */
  market: PricedBy = 'KRX'
  readonly feed: PriceFeed
  #out = 0
  book: Book = emptyBook('20261120')

  constructor(stocks: number) {
    for (let n = 1; n <= stocks; n += 1) {
      const code = codeOf(n)
      const issue = { code, kind: 'stock', market: 'KOSPI', nxt: false } as const
      this.book = evolve(this.book, { kind: 'stockAdded', code, name: code, issue, settings: SETTINGS, at: 0 })
    }
    const charts = ({ signal }: BackgroundCalls): Pick<KisRest, 'dayCandles'> => ({
      dayCandles: async (...asked) => {
        this.#chartsOut += 1
        this.mostCharts = Math.max(this.mostCharts, this.#chartsOut)
        try {
          await this.holdCharts
          if (this.chartsRefused !== null) throw this.chartsRefused
          return await (this.chartsHang ? givenUp(signal) : dayCandles(...asked))
        } finally {
          this.#chartsOut -= 1
        }
      },
    })
    const dayCandles: KisRest['dayCandles'] = async (code, from, to, which = 'adjusted') => {
      this.charts.push(`${code} ${from} ${which}`)
      const bar = { open: 0, high: 0, low: 0, volume: 0 }
      const asked = this.bars.filter(({ day }) => day >= from && day <= to)
      if (this.bars.length > 0)
        return asked.map(({ day, close, adjusted = close }) => {
          const shown = which === 'adjusted' ? adjusted : close
          return { ...bar, day, time: null, close: shown }
        })
      return this.chart === null ? [] : [{ ...bar, day: from, time: null, close: this.chart }]
    }
    const rest: Pick<KisRest, 'quote'> & { inBackground: typeof charts } = {
      quote: (code, market = 'KRX') => this.#answer(code, market),
      inBackground: charts,
    }
    const problem = (error: unknown): void => void this.problems.push(error)
    const { socket, clock, all: prices, closings, timetables } = this
    const marketOf = (): PricedBy => this.market
    this.feed = new PriceFeed({ rest, socket, clock, prices, marketOf, closings, timetables, problem })
  }

  async #answer(code: string, market: MarketOf): Promise<KisQuote | null> {
    this.asked.push(code)
    this.#out += 1
    this.most = Math.max(this.most, this.#out)
    await this.hold
    this.#out -= 1
    const answer = this.answers.get(code)
    if (answer instanceof Error) throw answer
    return answer === undefined ? this.answer(code, market) : answer
  }

  /** Codes asked for in these many seconds. */
  async seconds(count: number): Promise<string[]> {
    this.asked = []
    for (let n = 0; n < count; n += 1) {
      this.feed.tick(this.book)
      this.clock.advance(1_000)
      await turn()
    }
    return this.asked
  }
}

/** One stock whose market keeps KRX's hours, at a KST day and time. */
export function opening(day: string, time: number): FeedFixture {
  const one = new FeedFixture(1)
  one.timetables.current = knownTimetable('krx')
  one.clock.advance(kstInstant(day, time) - one.clock.now())
  return one
}
