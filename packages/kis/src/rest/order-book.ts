import { z } from 'zod'
import type { KisBook } from '../api.ts'
import type { RestContext } from './context.ts'
import { parse, single, wholeOrZero } from './fields.ts'

const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1)
const ReplyBody = z.object({ output1: single(z.record(z.string(), z.unknown())) })

/** Best prices first; empty levels (price 0) are left out. */
export async function getOrderBook(kis: RestContext, code: string): Promise<KisBook> {
  const params = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: code }
  const { output1 } = parse(ReplyBody, await kis.calls.query('orderBook', params, { priority: 'quote' }), 'order book')
  const side = (price: string, count: string) =>
    LEVELS.map((level) => ({
      price: wholeOrZero.parse(output1[`${price}${level}`]),
      count: wholeOrZero.parse(output1[`${count}${level}`]),
    })).filter((level) => level.price > 0)
  return { asks: side('askp', 'askp_rsqn'), bids: side('bidp', 'bidp_rsqn') }
}
