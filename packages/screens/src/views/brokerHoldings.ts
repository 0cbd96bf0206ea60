import type { Reply } from '@digger/contract'
import type { KisBalance, KisHolding } from '@digger/kis'

type Holding = Reply<'brokerBalance'>['list'][number]

/** What the broker holds for a person. Shares of a loan stand apart: neither the book nor a sell of Digger's knows them. */
export function brokerHoldings(
  { holdings, credit = [] }: Pick<KisBalance, 'holdings' | 'credit'>,
  nameOf: (code: string) => string | null,
): Holding[] {
  const viewOf = ({ code, name, price, gainAmount, gainRatio, ...held }: KisHolding): Holding => {
    const counts = { qty: held.count, availableQty: held.sellableCount }
    return { code, name: nameOf(code) ?? name, price, ...counts, loan: false, gainAmount, gainRatio }
  }
  const ofLoans = credit.map(viewOf).map((one) => ({ ...one, availableQty: 0, loan: true }))
  return [...holdings.map(viewOf), ...ofLoans]
}
