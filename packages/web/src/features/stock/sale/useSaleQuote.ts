import type { SaleQuote } from '@digger/contract'
import { call } from '../../../api/call.ts'
import { useTypedQuote, type Quoted as QuotedAs } from '../quotes/useTypedQuote.ts'
import type { QuoteQuery } from './saleForm.ts'

export type Quoted = QuotedAs<SaleQuote>

/** What the server says of the sale as it is typed. */
export const useSaleQuote = (params: { userId: string; code: string }, query: QuoteQuery | null): Quoted =>
  useTypedQuote({
    key: ['saleQuote', params],
    query,
    ask: (asked, signal) => call('saleQuote', { params, query: asked }, { signal, progress: false }),
  })
