import { z } from 'zod'
import type { KisBook } from '../api.ts'
import type { RestContext } from './context.ts'
import { parse, single, wholeOrZero } from './fields.ts'

const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1)
const NAMES = LEVELS.flatMap((level) => ['askp', 'askp_rsqn', 'bidp', 'bidp_rsqn'].map((name) => `${name}${level}`))
const Output = z.object(Object.fromEntries(NAMES.map((name) => [name, wholeOrZero])))
const ReplyBody = z.object({ output1: single(Output) })

/** Best prices first; empty levels (price 0) are left out. */
export async function getOrderBook(kis: RestContext, code: string): Promise<KisBook> {
  const params = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: code }
  const reply = await kis.calls.query('orderBook', params, { priority: 'quote' })
  const { output1 } = parse(ReplyBody, reply, 'order book')
  const side = (price: string, count: string) =>
    LEVELS.map((level) => ({
      price: output1[`${price}${level}`] ?? 0,
      count: output1[`${count}${level}`] ?? 0,
    })).filter((level) => level.price > 0)
  return { asks: side('askp', 'askp_rsqn'), bids: side('bidp', 'bidp_rsqn') }
}
