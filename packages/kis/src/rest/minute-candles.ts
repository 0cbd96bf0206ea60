import type { KisCandle } from '../api.ts'
import { kstDay, kstInstant } from '../kst.ts'
import type { RestContext } from './context.ts'
import { parse } from './fields.ts'
import { minuteCandles, MinuteReply } from './minute-rows.ts'

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
    MinuteReply,
    await kis.calls.query('minuteChart', params, { priority: 'quote' }),
    'minute chart',
  )
  const now = kis.now()
  const today = kstDay(now)
  return minuteCandles(
    output2.filter(({ stck_bsop_date: day, stck_cntg_hour: at }) => {
      // On a day without trading the broker answers with the previous day; times ahead are filled with the last price;
      // the running minute can still carry the volume of the one before.
      return day === today && at <= time && kstInstant(day, at) + MINUTE_MS <= now
    }),
  )
}
