import type { Bars } from '@digger/core'
import type { Frame, Traded } from './protocol.ts'

/** Which place of a chart each bar stands in: bars are shared out evenly, and no place is empty. */
export function placesOf(bars: number, room: number): { count: number; of: Int32Array } {
  const count = Math.min(Math.max(Math.floor(room), 1), bars)
  return { count, of: Int32Array.from({ length: bars }, (_, bar) => Math.floor((bar * count) / bars)) }
}

export function frameOf(bars: Bars, timeOf: (bar: number) => string, room: number): Frame & { of: Int32Array } {
  const { count, of } = placesOf(bars.length, room)
  const low = new Float64Array(count).fill(Infinity)
  const high = new Float64Array(count)
  const close = new Float64Array(count)
  const times = Array.from({ length: count }, () => '')
  for (let bar = bars.length - 1; bar >= 0; bar -= 1) {
    const place = of[bar] ?? 0
    low[place] = Math.min(low[place] ?? Infinity, bars.low[bar] ?? 0)
    high[place] = Math.max(high[place] ?? 0, bars.high[bar] ?? 0)
    if (close[place] === 0) close[place] = bars.close[bar] ?? 0
    times[place] = timeOf(bar)
  }
  return { times, low, high, close, of, bars: bars.length, days: bars.days.length }
}

/** How often something was done in each place. */
export class Counts {
  readonly buys: Uint32Array<ArrayBuffer>
  readonly sells: Uint32Array<ArrayBuffer>
  readonly #of: Int32Array

  constructor(of: Int32Array, count: number) {
    this.#of = of
    this.buys = new Uint32Array(count)
    this.sells = new Uint32Array(count)
  }

  bought(bar: number): void {
    this.#add(this.buys, bar)
  }

  sold(bar: number): void {
    this.#add(this.sells, bar)
  }

  #add(counts: Uint32Array, bar: number): void {
    const place = this.#of[bar] ?? 0
    counts[place] = (counts[place] ?? 0) + 1
  }
}

/** What had been gained at the last bar of each place, by both ways. */
export function bandOf(
  of: Int32Array,
  count: number,
  kind: Float64Array,
  unkind: Float64Array,
): Pick<Traded, 'worse' | 'better'> {
  const [worse, better] = [new Float64Array(count), new Float64Array(count)]
  for (let bar = 0; bar < of.length; bar += 1) {
    const place = of[bar] ?? 0
    const [a, b] = [kind[bar] ?? 0, unkind[bar] ?? 0]
    worse[place] = Math.min(a, b)
    better[place] = Math.max(a, b)
  }
  return { worse, better }
}
