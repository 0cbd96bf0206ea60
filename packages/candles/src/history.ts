import { Refused, type HistoryOverview, type HistoryState, type HistoryUnit, type StockHistory } from '@digger/contract'
import { kstDay, kstIso, withParticle } from '@digger/core'
import { background, type Clock, type Db } from '@digger/database'
import { type Bar, dayOf, timeOf } from './bar.ts'
import { type Days, readDays, sourceOf } from './days.ts'
import { minutesOf, oneOfEachDay } from './minutes.ts'
import { partRows, type Range, within } from './parts.ts'
import { progressView, readProgress } from './progress.ts'
import { readState } from './state.ts'

/** Days of minutes of one reply: a year of trading, some 100,000 candles. */
const MAX_MINUTE_DAYS = 250
const DEFAULT_MINUTE_DAYS = 60

export interface HistoryQuery {
  readonly unit: HistoryUnit
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
}

interface Columns extends Pick<StockHistory, 'days' | 'open' | 'high' | 'low' | 'close' | 'volume'> {
  readonly times: string[]
}

/** Reads what is kept, for whoever may see the account. The broker is not asked. */
export class Histories {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Throws Refused NOT_FOUND for a stock that is not in the user's list. */
  async stock(userId: string, code: string, query: HistoryQuery): Promise<StockHistory> {
    const [stock] = await this.#stocks(userId, code)
    if (stock === undefined) throw new Refused('NOT_FOUND', `${withParticle(code, '은')} ${NOT_LISTED}`)
    const today = kstDay(this.#clock.now())
    const { unit } = query
    const row = (await readProgress(this.#db, [code])).find((one) => one.unit === unit)
    const kept = unit === 'day' ? await this.#days(code, query) : await this.#minutes(code, query)
    return {
      ...stock,
      unit,
      ...kept,
      adjustedAt: row?.adjustedAt == null ? null : kstIso(row.adjustedAt),
      progress: progressView(row, unit, today),
    }
  }

  /** How far each stock of the account is. */
  async overview(userId: string): Promise<HistoryOverview> {
    const stocks = await this.#stocks(userId)
    const codes = stocks.map(({ code }) => code)
    const rows = new Map((await readProgress(this.#db, codes)).map((row) => [`${row.unit} ${row.code}`, row]))
    const today = kstDay(this.#clock.now())
    const view = (code: string, unit: HistoryUnit) => progressView(rows.get(`${unit} ${code}`), unit, today)
    return {
      stocks: stocks.map((stock) => ({ ...stock, day: view(stock.code, 'day'), minute: view(stock.code, 'minute') })),
    }
  }

  state(): Promise<HistoryState> {
    return readState(this.#db, this.#clock.now())
  }

  #stocks(userId: string, code?: string) {
    const all = this.#db
      .selectFrom('stock')
      .select(['code', 'name', 'kind', 'market'])
      .where('user_id', '=', userId)
      .orderBy('code')
    return (code === undefined ? all : all.where('code', '=', code)).execute()
  }

  async #days(code: string, query: HistoryQuery) {
    const days = await readDays(this.#db, code)
    const range = { from: query.fromDate ?? '00000101', to: query.toDate ?? '99991231' }
    const bars = query.fromDate === undefined && query.toDate === undefined ? days.bars : within(days.bars, range)
    const columns = emptyColumns()
    for (const bar of bars) put(columns, dayOf(bar.at), bar)
    const { times: _none, ...ofDays } = columns
    return { ...about(days), source: bars.length === 0 ? null : days.source, ...ofDays }
  }

  async #minutes(code: string, query: HistoryQuery) {
    const days = await readDays(this.#db, code)
    const byDay = new Map(days.bars.map((bar) => [bar.at, bar]))
    const rows = oneOfEachDay(await partRows(this.#db, code, 'minute', await this.#minuteRange(code, query)))
    const columns = emptyColumns()
    const read = []
    for (const row of rows) {
      // A day takes some tenths of a ms: prices and orders come between any two.
      await background.own()
      const { bars, ...day } = minutesOf(row, days, byDay)
      read.push(day)
      for (const bar of bars) {
        put(columns, day.day, bar)
        columns.times.push(timeOf(bar.at))
      }
    }
    const isAdjusted = read.every((day) => day.isAdjusted)
    return { ...about(days), isAdjusted, source: sourceOf(read.map(({ source }) => source)), ...columns }
  }

  /** Without days: the last 60 that are kept. Throws Refused where more are asked for than one reply takes. */
  async #minuteRange(code: string, { fromDate, toDate }: HistoryQuery): Promise<Range> {
    const to = toDate ?? '99991231'
    const parts = await this.#db
      .selectFrom('candle_part')
      .select('part')
      .distinct()
      .where('code', '=', code)
      .where('unit', '=', 'minute')
      .where('part', '<=', to)
      .where('part', '>=', fromDate ?? '00000101')
      .orderBy('part', 'desc')
      .limit(fromDate === undefined ? DEFAULT_MINUTE_DAYS : MAX_MINUTE_DAYS + 1)
      .execute()
    if (parts.length > MAX_MINUTE_DAYS) throw new Refused('INVALID', TOO_MANY)
    return { from: parts.at(-1)?.part ?? to, to }
  }
}

const NOT_LISTED = '목록에 없는 종목입니다. 종목코드를 확인하거나 먼저 추가해 주세요.'
const TOO_MANY = `분봉은 한 번에 거래일 ${MAX_MINUTE_DAYS}일까지 볼 수 있습니다. 기간을 나누어 주세요.`

const about = ({ corrections, isAdjusted }: Days) => ({ corrections: [...corrections], isAdjusted })

const emptyColumns = (): Columns => ({ days: [], times: [], open: [], high: [], low: [], close: [], volume: [] })

function put(columns: Columns, day: string, { open, high, low, close, volume }: Bar): void {
  columns.days.push(day)
  columns.open.push(open)
  columns.high.push(high)
  columns.low.push(low)
  columns.close.push(close)
  columns.volume.push(volume)
}
