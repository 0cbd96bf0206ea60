import type { Candle } from '@digger/contract'
import { addDays, kstDay, kstTime } from '@digger/core'
import type { BrokerQueries } from '@digger/engine'
import type { KisCandle } from '@digger/kis'
import { LRUCache } from 'lru-cache'
import type { Clock } from '@digger/database'
import type { Accounts } from '@digger/engine'

/** A chart may be drawn often; the broker counts calls. Day bars of today move slowly enough. */
const FRESH_MS = { day: 60_000, minute: 20_000 } as const
const MAX_SERIES = 500
/** The broker gives 30 minute bars a call; four calls are the last two hours. */
const MINUTE_PAGES = 4
const DEFAULT_DAYS = 150

export interface CandleQuery {
  readonly unit: 'day' | 'minute'
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
}

/** Bars of a stock for the chart, oldest first, shared by everyone who looks at the same. */
export class Candles {
  readonly #accounts: Accounts
  readonly #clock: Clock
  readonly #series: LRUCache<string, Promise<Candle[]>>

  constructor(accounts: Accounts, clock: Clock) {
    this.#accounts = accounts
    this.#clock = clock
    this.#series = new LRUCache({ max: MAX_SERIES, ttl: FRESH_MS.day, ttlResolution: 0, perf: clock })
  }

  read(userId: string, code: string, query: CandleQuery): Promise<Candle[]> {
    const now = this.#clock.now()
    const to = query.toDate ?? kstDay(now)
    const from = query.fromDate ?? addDays(to, -DEFAULT_DAYS)
    const name = query.unit === 'day' ? `${code} ${from} ${to}` : code
    const known = this.#series.get(name)
    if (known) return known
    const kis = this.#accounts.kis(userId)
    const bars = query.unit === 'day' ? dayBars(kis, code, from, to) : minuteBars(kis, code, now)
    this.#series.set(name, bars, { ttl: FRESH_MS[query.unit] })
    bars.catch(() => this.#series.delete(name))
    return bars
  }
}

const dayBars = async (kis: BrokerQueries, code: string, from: string, to: string): Promise<Candle[]> =>
  (await kis.dayCandles(code, from, to)).map(barOf)

async function minuteBars(kis: BrokerQueries, code: string, now: number): Promise<Candle[]> {
  const bars = new Map<string, Candle>()
  let until = kstTime(now)
  for (let page = 0; page < MINUTE_PAGES; page++) {
    const found = await kis.minuteCandles(code, until)
    for (const candle of found) bars.set(`${candle.day}${candle.time ?? ''}`, barOf(candle))
    const earliest = found[0]?.time
    if (!earliest || earliest >= until || earliest <= '090000') break
    until = minuteBefore(earliest)
  }
  return [...bars.values()].sort((a, b) => a.time.localeCompare(b.time))
}

function minuteBefore(time: string): string {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(2, 4)) - 1
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}00`
}

const barOf = ({ day, time, open, high, low, close, volume }: KisCandle): Candle => ({
  time: `${day}${time ?? ''}`,
  open,
  high,
  low,
  close,
  volume,
})
