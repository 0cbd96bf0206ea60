import { z } from 'zod'
import type { KisStockInfo } from '../api.ts'
import { NoDataError } from '../errors.ts'
import { kstDay } from '../kst.ts'
import type { ApiReply } from '../transport/api-reply.ts'
import type { RestContext } from './context.ts'
import { readDayChart } from './day-candles.ts'
import { parse, single, text } from './fields.ts'
import { statusesOf } from './issue-status.ts'
import { readPrice } from './quote.ts'

const ReplyBody = z.object({
  output: single(
    z.object({
      pdno: text,
      prdt_name: text,
      prdt_abrv_name: text,
      mket_id_cd: text,
      scty_grp_id_cd: text,
      tr_stop_yn: text,
      cptt_trad_tr_psbl_yn: text,
      nxt_tr_stop_yn: text,
    }),
  ),
})

/** ETF, ETN, and a foreign ETF that is listed here: one grid of prices, and no transaction tax. */
const FUNDS = new Set(['EF', 'EN', 'FE'])

/** Stocks, ETFs, ETNs and ELWs. */
const DOMESTIC = '300'

export async function getStockInfo(kis: RestContext, code: string): Promise<KisStockInfo | null> {
  if (kis.env === 'paper') return fromQuotes(kis, code)
  const reply = await askForInfo(kis, code)
  if (reply === null) return null
  const { output } = parse(ReplyBody, reply, 'stock info')
  const name = output.prdt_abrv_name || output.prdt_name
  if (name === '' || output.pdno === '') return null
  return {
    code,
    name,
    kind: FUNDS.has(output.scty_grp_id_cd) ? 'etf' : 'stock',
    market: output.mket_id_cd === 'KSQ' ? 'KOSDAQ' : output.mket_id_cd === 'KNX' ? 'KONEX' : 'KOSPI',
    nxt: output.cptt_trad_tr_psbl_yn === 'Y' && output.nxt_tr_stop_yn === 'N',
    halted: output.tr_stop_yn === 'Y',
  }
}

/** Null when the broker says there is no such product (rt_cd 7). */
async function askForInfo(kis: RestContext, code: string): Promise<ApiReply | null> {
  try {
    return await kis.calls.query('stockInfo', { PRDT_TYPE_CD: DOMESTIC, PDNO: code }, { priority: 'quote' })
  } catch (error) {
    if (error instanceof NoDataError) return null
    throw error
  }
}

/**
 * Paper has no product call: the name is on the chart, market and status on the quote. Its kind is inferred
 * from the tick: only ETFs and ETNs move by 5 won at 5,000 won and above.
 */
async function fromQuotes(kis: RestContext, code: string): Promise<KisStockInfo | null> {
  const today = kstDay(kis.now())
  const { output1 } = await readDayChart(kis, code, today, today)
  if (output1.hts_kor_isnm === '') return null
  const price = await readPrice(kis, code)
  if (price.stck_prpr === 0) return null
  const board = price.rprs_mrkt_kor_name.toUpperCase()
  return {
    code,
    name: output1.hts_kor_isnm,
    kind: code.startsWith('Q') || (price.stck_prpr >= 5_000 && price.aspr_unit === 5) ? 'etf' : 'stock',
    market: board.startsWith('KOSDAQ') ? 'KOSDAQ' : board.startsWith('KONEX') ? 'KONEX' : 'KOSPI',
    nxt: false,
    halted: statusesOf(price).includes('halted'),
  }
}
