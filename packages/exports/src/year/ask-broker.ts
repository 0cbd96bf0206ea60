import type { BrokerProfit } from '@digger/contract'
import { addDays, monthRange } from '@digger/core'

/** Asks the broker for days, both included; a sentence where it could not be asked. */
export type AskBroker = (from: string, to: string) => Promise<BrokerProfit | string>

/** Months of one question: an answer fits into a message between processes, and the broker's ledger gives a page a second. */
const MONTHS = 3

/** A longer time in parts, one after the other. A part that cannot be asked is the answer: half a year would look like a difference. */
export async function askInParts(ask: AskBroker, from: string, to: string): Promise<BrokerProfit | string> {
  const days: BrokerProfit['days'] = []
  const sales: BrokerProfit['sales'] = []
  for (let first = from; first <= to;) {
    const { to: last } = monthRange(first, MONTHS - 1)
    const part = await ask(first, last < to ? last : to)
    if (typeof part === 'string') return part
    days.push(...part.days)
    sales.push(...part.sales)
    first = addDays(last, 1)
  }
  return { days, sales }
}
