import { z } from 'zod'
import type { KisCandle } from '../api.ts'
import { text, wholeOrZero } from './fields.ts'

const Row = z.object({
  stck_bsop_date: text,
  stck_cntg_hour: text,
  stck_prpr: wholeOrZero,
  stck_oprc: wholeOrZero,
  stck_hgpr: wholeOrZero,
  stck_lwpr: wholeOrZero,
  cntg_vol: wholeOrZero,
})
/** Both calls for minutes, of today and of earlier days, answer with these. */
export const MinuteReply = z.object({ output2: z.array(Row) })

/** Oldest first. */
export const minuteCandles = (rows: readonly z.output<typeof Row>[]): readonly KisCandle[] =>
  rows
    .map((row) => ({
      day: row.stck_bsop_date,
      time: row.stck_cntg_hour,
      open: row.stck_oprc,
      high: row.stck_hgpr,
      low: row.stck_lwpr,
      close: row.stck_prpr,
      volume: row.cntg_vol,
    }))
    .sort((a, b) => (a.time < b.time ? -1 : 1))
