import { z } from 'zod'
import type { KisCandle } from '../api.ts'
import { kstDay, kstInstant } from '../kst.ts'
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

const MINUTE_MS = 60_000

/** Today's finished minutes at or before `time`, oldest first. */
export async function getMinuteCandles(kis: RestContext, code: string, time: string): Promise<readonly KisCandle[]> {
  const params = {
    FID_ETC_CLS_CODE: '',
    FID_COND_MRKT_DIV_CODE: 'J',
    FID_INPUT_ISCD: code,
    FID_INPUT_HOUR_1: time,
    FID_PW_DATA_INCU_YN: 'N',
  }
  const { output2 } = parse(
    ReplyBody,
    await kis.calls.query('minuteChart', params, { priority: 'quote' }),
    'minute chart',
  )
  const now = kis.now()
  const today = kstDay(now)
  return output2
    .filter(({ stck_bsop_date: day, stck_cntg_hour: at }) => {
      // On a day without trading the broker answers with the previous day; times ahead are filled with the last price;
      // the running minute can still carry the volume of the one before.
      return day === today && at <= time && kstInstant(day, at) + MINUTE_MS <= now
    })
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
}
