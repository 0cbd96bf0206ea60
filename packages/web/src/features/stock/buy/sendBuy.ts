import type { BuyQuote } from '@digger/contract'
import { send } from '../../../api/send.ts'
import { ask } from '../../../ask/ask.ts'
import { sentText } from '../sale/sentText.ts'
import type { BuyQuery } from './buyForm.ts'

/** False after the refusal was shown. What its person saw goes along: an order that has changed since is refused. */
export async function sendBuy(
  { userId, code }: { userId: string; code: string },
  { amount }: BuyQuery,
  { lastPrice, worstPrice }: Pick<BuyQuote, 'lastPrice' | 'worstPrice'>,
  onSent: () => void,
): Promise<boolean> {
  const seen = lastPrice === null || worstPrice === null ? {} : { seen: { price: lastPrice, worst: worstPrice } }
  // The number goes out as typed: the server multiplies, once.
  const reply = await send('marketBuy', { params: { userId, code }, body: { amount, ...seen } })
  if (reply === null) return false
  onSent()
  await ask.alert('done', sentText(reply))
  return true
}
