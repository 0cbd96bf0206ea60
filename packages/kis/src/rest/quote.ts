import { z } from 'zod'
import type { KisQuote, MarketOf } from '../api.ts'
import type { RestContext } from './context.ts'
import { STATUS_FIELDS, statusesOf } from './issue-status.ts'
import { parse, single, text, wholeOrZero } from './fields.ts'

const ReplyBody = z.object({
  output: single(
    z.object({
      stck_prpr: wholeOrZero,
      stck_sdpr: wholeOrZero,
      stck_oprc: wholeOrZero,
      stck_hgpr: wholeOrZero,
      stck_lwpr: wholeOrZero,
      stck_mxpr: wholeOrZero,
      stck_llam: wholeOrZero,
      acml_vol: wholeOrZero,
      aspr_unit: wholeOrZero,
      ...STATUS_FIELDS,
      rprs_mrkt_kor_name: text,
    }),
  ),
})

const MARKETS: Readonly<Record<MarketOf, string>> = { KRX: 'J', NXT: 'NX', UN: 'UN' }

export const readPrice = async (
  kis: RestContext,
  code: string,
  market: MarketOf = 'KRX',
): Promise<z.output<typeof ReplyBody>['output']> =>
  parse(
    ReplyBody,
    await kis.calls.query(
      'price',
      { FID_COND_MRKT_DIV_CODE: MARKETS[market], FID_INPUT_ISCD: code },
      { priority: 'quote' },
    ),
    'quote',
  ).output

/** An unknown or delisted code is answered without an error and with zeros: price 0 is no quote. */
export async function getQuote(kis: RestContext, code: string, market?: MarketOf): Promise<KisQuote | null> {
  const output = await readPrice(kis, code, market)
  if (output.stck_prpr === 0) return null
  const statuses = statusesOf(output)
  return {
    code,
    price: output.stck_prpr,
    base: output.stck_sdpr,
    open: output.stck_oprc,
    high: output.stck_hgpr,
    low: output.stck_lwpr,
    upper: output.stck_mxpr,
    lower: output.stck_llam,
    volume: output.acml_vol,
    halted: statuses.includes('halted'),
    statuses,
  }
}
