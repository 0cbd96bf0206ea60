import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SaleQuote } from '@digger/contract'
import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { asProblem, type Problem } from '../../../api/problem.ts'
import { report } from '../../../api/send.ts'
import type { QuoteQuery } from './saleForm.ts'

/** Nobody asks between two digits. */
const TYPING_MS = 150
/** The price goes on while somebody thinks. */
const AGAIN_MS = 3_000

export interface Quoted {
  /** The last answer, also while another is on its way. */
  quote: SaleQuote | undefined
  /** Whether it is the answer to what is asked now. */
  isCurrent: boolean
  problem: Problem | null
}

/** What the server says of the sale as it is typed, again and again; what nobody waits for any more is given up. */
export function useSaleQuote(params: { userId: string; code: string }, query: QuoteQuery | null): Quoted {
  const key = JSON.stringify(query)
  const settled = useSettled(key)
  const asked: QuoteQuery | null = JSON.parse(settled)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['saleQuote', params, { ...asked }],
    queryFn: ({ signal }) =>
      call('saleQuote', { params, query: asked ?? { how: 'market' } }, { signal, progress: false }).catch(
        (cause: unknown) => {
          report(cause, () => undefined)
          throw asProblem(cause)
        },
      ),
    enabled: asked !== null,
    refetchInterval: AGAIN_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const isCurrent = settled === key && asked !== null && data !== undefined && !isPlaceholderData && error === null
  return { quote: data, isCurrent, problem: error }
}

/** A text once it has stayed the same for a moment; the first one at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, TYPING_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
