import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Traffic } from '@digger/kis-sim'
import type { Fall } from './measure.ts'

export interface MarketAddress {
  readonly url: string
  readonly wsUrl: string
  readonly listingMs: number
  readonly listings: readonly { readonly code: string; readonly base: number }[]
}

interface MarketResult {
  readonly path: readonly Fall[]
  readonly traffic: Traffic
}

/** Starts the pretend broker of `market.ts` in a process of its own. */
export async function startMarket(users: number, stocks: number, rate: number) {
  const script = fileURLToPath(new URL('market.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(users), String(stocks), String(rate)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // The market does not go on when this process is gone.
  process.once('exit', () => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => (await lines.next()).value ?? '{}'
  const address: MarketAddress = JSON.parse(await nextLine())
  return {
    address,
    fall: () => void child.stdin.write('fall\n'),
    /** When prices fell, and how many calls the broker let in and refused. */
    async result(): Promise<MarketResult> {
      child.stdin.write('path\n')
      return JSON.parse(await nextLine())
    },
    async close(): Promise<void> {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
