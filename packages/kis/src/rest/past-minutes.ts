import type { KisPastMinutes } from '../api.ts'
import { PAGE_ROWS } from '../wire/endpoints.ts'
import type { RestContext } from './context.ts'
import { parse } from './fields.ts'
import { minuteCandles, MinuteReply } from './minute-rows.ts'

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
    MinuteReply,
    await kis.calls.query('minuteChartPast', params, { priority: 'quote' }),
    'past minute chart',
  )
  // Of a day without trading the broker answers silently with the one before.
  const ofDay = output2.filter((row) => row.stck_bsop_date === day && row.stck_cntg_hour <= time)
  return { candles: minuteCandles(ofDay), isLast: ofDay.length < PAGE_ROWS.minuteChartPast }
}
