import { z } from 'zod'
import type { KisPastMinutes } from '../api.ts'
import { PAGE_ROWS } from '../wire/endpoints.ts'
import type { RestContext } from './context.ts'
import { parse, text, wholeOrZero } from './fields.ts'

const Row = z.object({
  stck_bsop_date: text,
  stck_cntg_hour: text,
  stck_prpr: wholeOrZero,
  stck_oprc: wholeOrZero,
  stck_hgpr: wholeOrZero,
  stck_lwpr: wholeOrZero,
  cntg_vol: wholeOrZero,
})
const ReplyBody = z.object({ output2: z.array(Row) })

/** Minutes of an earlier day at or before `time`, oldest first: as many as one reply has. Real only. */
export async function getPastMinutes(
  kis: RestContext,
  code: string,
  day: string,
  time: string,
): Promise<KisPastMinutes> {
  const params = {
    FID_COND_MRKT_DIV_CODE: 'J',
    FID_INPUT_ISCD: code,
    FID_INPUT_HOUR_1: time,
    FID_INPUT_DATE_1: day,
    FID_PW_DATA_INCU_YN: 'N',
    FID_FAKE_TICK_INCU_YN: '',
  }
  const { output2 } = parse(
    ReplyBody,
    await kis.calls.query('minuteChartPast', params, { priority: 'quote' }),
    'past minute chart',
  )
  // Of a day without trading the broker answers silently with the one before.
  const ofDay = output2.filter((row) => row.stck_bsop_date === day && row.stck_cntg_hour <= time)
  const candles = ofDay
    .map((row) => ({
      day,
      time: row.stck_cntg_hour,
      open: row.stck_oprc,
      high: row.stck_hgpr,
      low: row.stck_lwpr,
      close: row.stck_prpr,
      volume: row.cntg_vol,
    }))
    .sort((a, b) => (a.time < b.time ? -1 : 1))
  return { candles, isLast: ofDay.length < PAGE_ROWS.minuteChartPast }
}
