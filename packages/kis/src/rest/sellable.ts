import { z } from 'zod'
import { getBalance } from './balance.ts'
import { ProtocolError } from '../errors.ts'
import type { RestContext } from './context.ts'
import { parse, single, whole } from './fields.ts'

const Fields = single(z.object({ ord_psbl_qty: whole }))
/** The table of the documentation says output1, its example output. */
const ReplyBody = z.union([z.object({ output: Fields }), z.object({ output1: Fields })])

/** Shares not locked in open sells. Paper has no such call; its balance carries the same figure. */
export async function getSellable(kis: RestContext, code: string): Promise<number> {
  if (kis.env === 'paper') {
    const { holdings, unreadable = [] } = await getBalance(kis)
    const odd = unreadable.find((one) => one.code === null || one.code === code)
    if (odd !== undefined) throw new ProtocolError(`balance: ${odd.what}`)
    return holdings.find((holding) => holding.code === code)?.sellableCount ?? 0
  }
  const reply = await kis.calls.query('sellable', { ...kis.account, PDNO: code }, { priority: 'ledger' })
  const body = parse(ReplyBody, reply, 'sellable')
  return 'output' in body ? body.output.ord_psbl_qty : body.output1.ord_psbl_qty
}
