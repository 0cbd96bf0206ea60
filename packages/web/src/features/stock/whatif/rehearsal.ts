import { backtest, barsOf, mapRow, runOf, type BarColumns, type Bars, type Run, type Settings } from '@digger/core'
import { bandOf, Counts, frameOf } from './places.ts'
import type { Issue, Request, Traded, Unit, WorkerReply } from './protocol.ts'

interface Chosen {
  readonly id: number
  readonly bars: Bars
  readonly of: Int32Array
  readonly places: number
}

/** Trades bars of the past again, by the rules of the ladder, as it is asked: what the worker does. */
export class Rehearsal {
  readonly #columns = new Map<Unit, { columns: BarColumns; issue: Issue }>()
  #chosen: Chosen | null = null
  #saved: { key: string; run: Run } | null = null

  answer(request: Request): WorkerReply {
    try {
      return this.#answer(request)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return { kind: 'failed', code: request.kind === 'stock' ? request.code : null, message: error.message }
    }
  }

  #answer(request: Request): WorkerReply {
    switch (request.kind) {
      case 'columns':
        this.#columns.set(request.unit, request)
        return { kind: 'columns' }
      case 'frame':
        return this.#choose(request)
      case 'run':
        return this.#run(request)
      case 'row': {
        const cells = mapRow(this.#bars().bars, request.settings, request.buyPercent, request.sellPercents)
        return { kind: 'row', map: request.map, cells }
      }
      case 'stock': {
        const bars = filled(barsOf(request.columns, request.issue))
        const run = runOf(bars, request.settings)
        return { kind: 'stock', code: request.code, run, days: bars.days.length }
      }
    }
  }

  #choose({ id, unit, from, places }: Extract<Request, { kind: 'frame' }>): WorkerReply {
    this.#chosen = null
    this.#saved = null
    const kept = this.#columns.get(unit)
    if (kept === undefined) throw new RangeError('no bars of this unit')
    const columns = sinceDay(kept.columns, from)
    const bars = filled(barsOf(columns, kept.issue))
    const timeOf = (bar: number): string => {
      const at = bars.source[bar] ?? 0
      return `${columns.days[at]}${columns.times?.[at] ?? ''}`
    }
    const { of, ...frame } = frameOf(bars, timeOf, places)
    this.#chosen = { id, bars, of, places: frame.low.length }
    return { kind: 'frame', id, frame }
  }

  #run({ settings, saved }: Extract<Request, { kind: 'run' }>): WorkerReply {
    const { id, bars, of, places } = this.#bars()
    const counts = new Counts(of, places)
    const equity = { kind: new Float64Array(bars.length), unkind: new Float64Array(bars.length) }
    const both = {
      kind: backtest(bars, settings, 'kind', { equity: equity.kind }),
      unkind: backtest(bars, settings, 'unkind', { equity: equity.unkind, trades: counts }),
    }
    const { buys, sells } = counts
    const traded: Traded = { buys, sells, ...bandOf(of, places, equity.kind, equity.unkind) }
    return {
      kind: 'run',
      frame: id,
      run: runOf(bars, settings, both),
      saved: saved && this.#savedRun(saved),
      traded,
    }
  }

  /** What is saved does not move with a slider. */
  #savedRun(settings: Settings): Run {
    const key = JSON.stringify(settings)
    if (this.#saved?.key !== key) {
      const { bars } = this.#bars()
      this.#saved = { key, run: runOf(bars, settings) }
    }
    return this.#saved.run
  }

  #bars(): Chosen {
    if (this.#chosen === null) throw new RangeError('no bars')
    return this.#chosen
  }
}

function filled(bars: Bars): Bars {
  if (bars.length === 0) throw new RangeError('no bars')
  return bars
}

function sinceDay({ days, times, open, high, low, close }: BarColumns, from: string): BarColumns {
  const first = days.findIndex((day) => day >= from)
  const at = first === -1 ? days.length : first
  const cut = (column: ArrayLike<number>): Float64Array => Float64Array.from(column).subarray(at)
  return {
    days: days.slice(at),
    times: times?.slice(at),
    open: cut(open),
    high: cut(high),
    low: cut(low),
    close: cut(close),
  }
}
