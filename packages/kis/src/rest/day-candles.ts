import { z } from 'zod'
import type { KisCandle } from '../api.ts'
import { ProtocolError } from '../errors.ts'
import { dayBefore } from '../kst.ts'
import type { RestContext } from './context.ts'
import { calendarDay, parse, single, text, wholeOrZero } from './fields.ts'

const Row = z.object({
  stck_bsop_date: calendarDay,
  stck_clpr: wholeOrZero,
  stck_oprc: wholeOrZero,
  stck_hgpr: wholeOrZero,
  stck_lwpr: wholeOrZero,
  acml_vol: wholeOrZero,
  mod_yn: text,
})
const ReplyBody = z.object({
  output1: single(z.object({ hts_kor_isnm: text, stck_prpr: wholeOrZero })),
  output2: z.array(Row),
})

/** 100 bars a window: enough for 20 years. */
const MAX_WINDOWS = 60

/** One window: at most 100 bars, counted back from `to`. The chart calls are the only ones that carry a stock's name on paper. */
export async function readDayChart(
  kis: RestContext,
  code: string,
  from: string,
  to: string,
  prices: 'adjusted' | 'original' = 'adjusted',
) {
  const params = {
    FID_COND_MRKT_DIV_CODE: 'J',
    FID_INPUT_ISCD: code,
    FID_INPUT_DATE_1: from,
    FID_INPUT_DATE_2: to,
    FID_PERIOD_DIV_CODE: 'D',
    // 0 = adjusted for splits and rights here; its sibling inquire-daily-price means the opposite.
    FID_ORG_ADJ_PRC: prices === 'adjusted' ? '0' : '1',
  }
  return parse(ReplyBody, await kis.calls.query('dayChart', params, { priority: 'quote' }), 'day chart')
}

/** Day bars from..to, oldest first, as many windows as it takes. */
export async function getDayCandles(
  kis: RestContext,
  code: string,
  from: string,
  to: string,
  prices?: 'adjusted' | 'original',
): Promise<readonly KisCandle[]> {
  const candles: KisCandle[] = []
  let end = to
  for (let window = 0; end >= from; window += 1) {
    if (window === MAX_WINDOWS) throw new ProtocolError(`day chart of ${code}: more than ${MAX_WINDOWS} windows`)
    const { output2 } = await readDayChart(kis, code, from, end, prices)
    // Rows may be empty objects when the window holds fewer bars.
    const dated = output2.filter((row) => row.stck_bsop_date >= from && row.stck_bsop_date <= end)
    const oldest = dated.reduce((day, row) => (row.stck_bsop_date < day ? row.stck_bsop_date : day), '99999999')
    candles.push(...dated.filter(hasTraded).map(toCandle))
    if (oldest === '99999999') break
    end = dayBefore(oldest)
  }
  return candles.sort((a, b) => (a.day < b.day ? -1 : 1))
}

/** Before the first trade of a day the broker makes up a bar from the previous close. */
const hasTraded = (row: z.output<typeof Row>): boolean => row.acml_vol > 0 || row.mod_yn !== 'Y'

const toCandle = (row: z.output<typeof Row>): KisCandle => ({
  day: row.stck_bsop_date,
  time: null,
  open: row.stck_oprc,
  high: row.stck_hgpr,
  low: row.stck_lwpr,
  close: row.stck_clpr,
  volume: row.acml_vol,
})
