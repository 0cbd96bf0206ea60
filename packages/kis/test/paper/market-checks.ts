import { NotOfferedError } from '../../src/index.ts'
import { dayBefore, kstDay, kstInstant, kstTime } from '../../src/kst.ts'
import { fact, isAmount, isAscending, type Paper, type PaperCheck, withReplies } from './check.ts'

const DAY_MS = 86_400_000

export const daysBefore = (now: number, days: number): string => kstDay(now - days * DAY_MS)

const token: PaperCheck = {
  name: 'access token',
  async run({ rest, tokens, code, now }) {
    await rest.quote(code)
    await rest.quote(code)
    const [issued] = tokens
    fact(
      tokens.length === 1 && issued !== undefined,
      `${tokens.length} tokens were issued for the first questions, not one`,
    )
    const leftMs = issued.expiresAt - now()
    fact(leftMs > 0 && leftMs <= DAY_MS + 60_000, `it lasts ${Math.round(leftMs / 60_000)} minutes, not up to a day`)
    return 'one for all questions, for at most a day'
  },
}

const quote: PaperCheck = {
  name: 'quote',
  async run({ rest, code }) {
    const found = await rest.quote(code)
    fact(found !== null, `${code} has no price`)
    const { price, base, open, high, low, upper, lower, volume, statuses } = found
    fact(isAmount(price, base, open, high, low, upper, lower, volume), 'prices and volume are not whole')
    fact(0 < lower && lower <= price && price <= upper, 'the price is outside the day’s limits')
    fact(lower < base && base < upper, 'the base price is outside the limits that are made of it')
    fact(high === 0 || (low <= price && price <= high), 'the price is outside the day’s low and high')
    fact(!statuses.includes('unknown'), 'its status is in none of the broker’s tables')
    return `whole won within the day's limits${volume === 0 ? ', not traded yet today' : ''}`
  },
}

const unknownCode: PaperCheck = {
  name: 'quote of a code that is none',
  async run({ rest }) {
    fact((await rest.quote('999999')) === null, 'it has a price')
    return 'no error, and no price'
  },
}

const rises = (prices: readonly number[]): boolean =>
  prices.every((price, at) => at === 0 || (prices[at - 1] ?? 0) < price)

const orderBook: PaperCheck = {
  name: 'order book',
  async run({ rest, code }) {
    const { asks, bids } = await rest.orderBook(code)
    fact(asks.length <= 10 && bids.length <= 10, 'it has more than ten levels a side')
    fact(
      [...asks, ...bids].every(({ price, count }) => price > 0 && isAmount(price, count)),
      'a level is not whole won and shares',
    )
    fact(rises(asks.map(({ price }) => price)), 'sellers do not stand from the cheapest up')
    fact(rises(bids.map(({ price }) => price).toReversed()), 'buyers do not stand from the dearest down')
    return `${asks.length} levels of sellers, ${bids.length} of buyers`
  },
}

const dayCandles: PaperCheck = {
  name: 'day candles, more than one window of 100',
  async run({ rest, code, now }) {
    const [from, to] = [daysBefore(now(), 200), dayBefore(kstDay(now()))]
    const { value: candles, replies } = await withReplies(() => rest.dayCandles(code, from, to))
    const days = candles.map(({ day }) => day)
    fact(candles.length > 100, `${candles.length} days of the last 200: the second window is missing`)
    fact(isAscending(days), 'days are not oldest first, each once')
    fact(
      days.every((day) => day >= from && day <= to),
      'there are days that were not asked for',
    )
    fact(
      candles.every(
        ({ open, high, low, close, volume }) =>
          isAmount(open, high, low, close, volume) &&
          low > 0 &&
          low <= Math.min(open, close) &&
          Math.max(open, close) <= high,
      ),
      'a candle is not whole, or its open or close is outside its low and high',
    )
    return `${candles.length} days over ${replies.length} windows, oldest first`
  },
}

const minuteCandles: PaperCheck = {
  name: 'minute candles of today',
  async run({ rest, code, now }) {
    const until = kstTime(now())
    const candles = await rest.minuteCandles(code, until)
    const times = candles.map(({ time }) => time ?? '')
    fact(candles.length <= 30, `${candles.length} at once, not at most 30`)
    fact(
      times.every((time) => !Number.isNaN(kstInstant(kstDay(now()), time)) && time <= until),
      'a minute is none, or ahead of what was asked for',
    )
    fact(isAscending(times), 'minutes are not oldest first, each once')
    fact(
      candles.every(
        ({ day, open, high, low, close, volume }) => day === kstDay(now()) && isAmount(open, high, low, close, volume),
      ),
      'a candle is not of today, or not whole',
    )
    return candles.length === 0 ? 'none: no trade today yet' : `${candles.length} finished minutes, oldest first`
  },
}

const stockName: PaperCheck = {
  name: 'name of a stock, from the chart',
  async run({ rest, code }) {
    const info = await rest.stockInfo(code)
    fact(info !== null && info.name !== '', `${code} has no name`)
    fact(
      info.kind === 'stock' && info.market === 'KOSPI',
      `it is a ${info.kind} on ${info.market}, not a stock on KOSPI`,
    )
    fact(!info.nxt, 'paper trades it on NXT')
    return `${info.name}, a stock on KOSPI`
  },
}

/** What the client does not ask paper for. */
const NOT_OFFERED: Readonly<Record<string, (paper: Paper) => Promise<unknown>>> = {
  'minutes of earlier days': ({ rest, code, now }) => rest.pastMinutes(code, daysBefore(now(), 7), '153000'),
  'open days': ({ rest, now }) => rest.holidays(kstDay(now())),
  'gains by day': ({ rest, now }) => rest.periodProfit(daysBefore(now(), 7), kstDay(now())),
  'gains by stock': ({ rest, now }) => rest.periodTradeProfit(daysBefore(now(), 7), kstDay(now())),
  announcements: ({ rest, code, now }) => rest.announcements('bonusIssue', daysBefore(now(), 30), kstDay(now()), code),
}

const notOffered: PaperCheck = {
  name: 'what paper does not offer',
  async run(paper) {
    const names = Object.keys(NOT_OFFERED)
    for (const [name, question] of Object.entries(NOT_OFFERED)) {
      const { value: error, replies } = await withReplies(() =>
        question(paper).then(
          () => null,
          (thrown: unknown) => thrown,
        ),
      )
      fact(error instanceof NotOfferedError, `${name}: the client does not say that paper has no such call`)
      fact(replies.length === 0, `${name}: the broker was asked all the same`)
    }
    return `${names.join(', ')}: said by the client, without a request`
  },
}

/** The token first: the others have one then. */
export const MARKET_CHECKS: readonly PaperCheck[] = [
  token,
  quote,
  unknownCode,
  orderBook,
  dayCandles,
  minuteCandles,
  stockName,
  notOffered,
]
