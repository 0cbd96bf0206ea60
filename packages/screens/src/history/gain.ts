import type { GainDay } from '@digger/contract'
import { gainRatio } from '@digger/core'
import type { Db } from '@digger/database'
import { type GainRow, gainRows } from './trades.ts'

/** What each day realised, newest first. */
export const gainDays = async (db: Db, userId: string, from: string, to: string): Promise<GainDay[]> =>
  byDay(await gainRows(db, userId, from, to))

/** Rows come newest day first; the days keep that order. */
function byDay(rows: readonly GainRow[]): GainDay[] {
  const days = Map.groupBy(rows, ({ day }) => day)
  return [...days].map(([date, ofDay]) => ({
    date,
    gain: total(ofDay),
    stockGainList: ofDay.map((row) => ({ code: row.code, name: row.name ?? row.code, gain: total([row]) })),
  }))
}

function total(rows: readonly GainRow[]): GainDay['gain'] {
  const sum = (pick: (row: GainRow) => number) => rows.reduce((all, row) => all + pick(row), 0)
  const buyAmount = sum(({ buy }) => buy)
  const gainAmount = sum(({ gain }) => gain)
  return { buyAmount, gainAmount, gainRatio: gainRatio(gainAmount, buyAmount), netGainAmount: sum(({ net }) => net) }
}
