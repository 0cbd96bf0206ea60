import { kstDay } from '@digger/core'
import type { Db } from '@digger/database'
import type { Bar } from '../bar.ts'
import { deletePart, type PartKey, readPart, united, writePart } from '../parts.ts'
import { readCandleFile, type ReadFile } from './read-file.ts'

export interface ImportHow {
  /** Prices of the share of today, or as they were traded. */
  readonly prices: 'adjusted' | 'traded'
  /** Only where the broker has nothing; otherwise what is imported goes before the broker's. */
  readonly fill: boolean
}

/** What came of a file: what is kept now, or what is wrong with it, and then nothing of it is kept. */
export type Imported = Pick<ReadFile, 'unit' | 'candles' | 'untraded' | 'problems' | 'problemCount'> & {
  readonly codes: number
}

/** Imports a file whole or not at all, in one transaction. Days that it names again replace those of an earlier file. */
export async function importCandles(db: Db, path: string, { prices, fill }: ImportHow, now: number): Promise<Imported> {
  const file = await readCandleFile(path, kstDay(now))
  if (file.problemCount === 0)
    await db.transaction().execute((transaction) => write(transaction, file, { prices, fill }))
  const { parts, ...rest } = file
  return { ...rest, codes: parts.size }
}

async function write(db: Db, { unit, parts }: ReadFile, { prices, fill }: ImportHow): Promise<void> {
  const isAdjusted = prices === 'adjusted'
  const source = fill ? 'fill' : 'imported'
  for (const [code, ofCode] of parts)
    for (const [part, bars] of ofCode) {
      // Two kinds of prices have a part each, by which they are told apart: what is written now is in one of them only.
      const key = { code, unit, source, generation: isAdjusted ? 1 : 0, part } as const
      const before = await readPart(db, key)
      await writePart(db, key, united(before?.bars ?? [], [...bars.values()]), isAdjusted)
      await takeOut(db, { ...key, generation: isAdjusted ? 0 : 1 }, bars)
    }
}

/** Minutes of two kinds never stand beside each other within a day. */
async function takeOut(db: Db, key: PartKey, bars: ReadonlyMap<number, Bar>): Promise<void> {
  const other = await readPart(db, key)
  if (other === null) return
  const left = key.unit === 'minute' ? [] : other.bars.filter(({ at }) => !bars.has(at))
  if (left.length > 0) await writePart(db, key, left, other.is_adjusted)
  else await deletePart(db, key)
}
