import type { HistoryCorrection, HistorySource } from '@digger/contract'
import { background, type CandleSource, type Db } from '@digger/database'
import { ratioAfter, ratioBetween, scaled } from './adjust.ts'
import { type Bar, dayOf } from './bar.ts'
import { correctionsOf } from './corrections.ts'
import { type Part, partRows, unpacked } from './parts.ts'

/** Days of a stock from every source. */
export interface Days {
  /** Each day once, at prices of the share of today; oldest first. */
  readonly bars: readonly Bar[]
  readonly corrections: readonly HistoryCorrection[]
  readonly isAdjusted: boolean
  readonly source: HistorySource | null
}

const EVER = { from: '00000000', to: '99999999' }
/** Whoever comes later wins. */
const ORDER: readonly CandleSource[] = ['fill', 'broker', 'imported']

/** All that is kept: ten years are 2,500 bars. */
export async function readDays(db: Db, code: string): Promise<Days> {
  const parts: Part[] = []
  for (const row of await partRows(db, code, 'day', EVER)) {
    await background.own()
    parts.push(unpacked(row))
  }
  await background.own()
  return mergedDays(parts)
}

export function mergedDays(parts: readonly Part[]): Days {
  const broker = parts.filter(({ source }) => source === 'broker').flatMap(({ bars }) => bars)
  const corrections = correctionsOf(broker)
  const known = new Map(broker.map((bar) => [bar.at, bar]))
  const days = new Map<number, { bar: Bar; source: CandleSource; isAdjusted: boolean }>()
  for (const wanted of ORDER)
    for (const { source, bars, is_adjusted: isAdjusted } of parts)
      if (source === wanted)
        for (const bar of bars) {
          const ratio =
            source === 'broker' ? 1 : ratioOf(bar, { corrections, reference: known.get(bar.at), isAdjusted })
          // Whether the broker's word reaches an imported day: only then is it known what the share was.
          const isKnown = source === 'broker' || isAdjusted || reaches(broker, bar)
          days.set(bar.at, { bar: scaled(bar, ratio), source, isAdjusted: isKnown })
        }
  const merged = [...days.values()].sort((a, b) => a.bar.at - b.bar.at)
  return {
    bars: merged.map(({ bar }) => bar),
    corrections,
    isAdjusted: merged.every((day) => day.isAdjusted),
    source: sourceOf(merged.map(({ source }) => source)),
  }
}

const reaches = (broker: readonly Bar[], { at }: Bar): boolean => {
  const [first] = broker
  return first !== undefined && first.at <= at
}

interface Reference {
  readonly corrections: readonly HistoryCorrection[]
  /** The broker's bar of the same day. */
  readonly reference: Bar | undefined
  readonly isAdjusted: boolean
}

function ratioOf(bar: Bar, { corrections, reference, isAdjusted }: Reference): number {
  const day = dayOf(bar.at)
  if (reference !== undefined && bar.close > 0 && reference.close > 0)
    return ratioBetween(day, corrections, { close: bar.close, adjusted: reference.close })
  return isAdjusted ? 1 : ratioAfter(day, corrections)
}

export function sourceOf(sources: readonly CandleSource[]): HistorySource | null {
  if (sources.length === 0) return null
  const fromBroker = sources.includes('broker')
  if (sources.every((source) => source === 'broker')) return 'broker'
  return fromBroker ? 'both' : 'imported'
}
