import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallName } from '@digger/contract/paths'
import type { Part } from '../../../api/call.ts'
import { asProblem, type Problem } from '../../../api/problem.ts'
import { report } from '../../../api/send.ts'

/** Nobody asks between two digits. */
const TYPING_MS = 150
/** The price goes on while somebody thinks. */
const AGAIN_MS = 3_000

export interface Quoted<Quote> {
  /** The last answer, also while another is on its way. */
  quote: Quote | undefined
  /** Whether it is the answer to what is asked now. */
  isCurrent: boolean
  problem: Problem | null
}

interface Asked<Query, Quote> {
  /** The call, and whose. */
  key: readonly [call: CallName, params: Part]
  /** Null while what is typed cannot be asked for. */
  query: Query | null
  ask: (query: Query, signal: AbortSignal) => Promise<Quote>
}

/** What the server says of an order as it is typed, again and again; what nobody waits for any more is given up. */
export function useTypedQuote<Query, Quote>({ key, query, ask }: Asked<Query, Quote>): Quoted<Quote> {
  const text = JSON.stringify(query)
  const settled = useSettled(text)
  const asked: Query | null = JSON.parse(settled)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...key, { typed: settled }],
    queryFn: async ({ signal }) => {
      if (asked === null) throw new Error('nothing is asked for')
      return ask(asked, signal).catch((cause: unknown) => {
        report(cause, () => undefined)
        throw asProblem(cause)
      })
    },
    enabled: asked !== null,
    refetchInterval: AGAIN_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const isCurrent = settled === text && asked !== null && data !== undefined && !isPlaceholderData && error === null
  return { quote: data, isCurrent, problem: error === null ? null : asProblem(error) }
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
