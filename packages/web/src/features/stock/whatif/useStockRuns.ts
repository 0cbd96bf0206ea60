import type { Stock } from '@digger/contract'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { read } from '../../../api/read.ts'
import { StockRuns, type Line } from './allStocks.ts'
import { keptFor } from './historyRead.ts'
import { BROKEN, startWorker } from './startWorker.ts'

interface Lines {
  /** Of what they are: stocks, their settings and the first day. */
  readonly key: string
  readonly lines: ReadonlyMap<string, Line>
  readonly problem: string | null
}

interface Work {
  readonly client: QueryClient
  readonly userId: string
  readonly stocks: readonly Stock[]
  readonly from: string
  readonly runs: StockRuns
  readonly signal: AbortSignal
  readonly onLine: (code: string, line: Line) => void
}

/** A history of one stock after the other is fetched and traded again: the first lines are there while others are on their way. */
async function work({ client, userId, stocks, from, runs, signal, onLine }: Work): Promise<void> {
  for (const stock of stocks) {
    if (signal.aborted) return
    const { code } = stock
    const asked = { params: { userId, code }, query: { unit: 'day' as const, fromDate: from } }
    const history = await client.fetchQuery({ ...read('stockHistory', asked), staleTime: keptFor }).catch(() => null)
    if (signal.aborted) return
    const line: Line = history === null ? { kind: 'failed' } : await runs.lineOf(stock, history)
    if (!signal.aborted) onLine(code, line)
  }
}

const NONE: ReadonlyMap<string, Line> = new Map()

interface Runs extends Lines {
  /** The same ones, however their prices move. */
  readonly stocks: readonly Stock[]
}

/** Lines by code, as they come: all anew with any setting, stock or range, and with nothing else. */
export function useStockRuns(stocks: readonly Stock[], from: string, userId: string): Runs {
  const client = useQueryClient()
  const key = `${from} ${keyOf(stocks)}`
  const [runs, setRuns] = useState<Lines>({ key, lines: NONE, problem: null })
  const [asked, setAsked] = useState({ key, stocks })
  if (asked.key !== key) setAsked({ key, stocks })
  useEffect(() => {
    const ending = new AbortController()
    const { post, close } = startWorker({
      onReply: (reply) => made.receive(reply),
      onBroken: () => setRuns({ key: asked.key, lines: NONE, problem: BROKEN }),
    })
    const made = new StockRuns(post)
    const onLine = (code: string, line: Line) =>
      setRuns((old) => ({
        key: asked.key,
        lines: new Map([...(old.key === asked.key ? old.lines : []), [code, line]]),
        problem: null,
      }))
    void work({ client, userId, stocks: asked.stocks, from, runs: made, signal: ending.signal, onLine })
    return () => {
      ending.abort()
      close()
    }
  }, [asked, client, from, userId])
  const present = runs.key === key ? runs : { key, lines: NONE, problem: null }
  return { ...present, stocks: asked.stocks }
}

/** What a price does not change. */
const keyOf = (stocks: readonly Stock[]): string => stocks.map(({ code, version }) => `${code}.${version}`).join(' ')
