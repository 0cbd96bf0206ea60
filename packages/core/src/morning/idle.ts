import { effectiveStop } from '../account/gate.ts'
import { isShadowed } from '../account/refuse-shadowed.ts'
import type { Book, Stop } from '../account/types.ts'

/** Why nothing automatic leaves of an account that has all it needs: somebody stopped it, or it is only rehearsed. */
export type MorningIdle = 'halt' | 'shadow'

interface Server {
  readonly serverStop: Stop
  readonly shadow?: boolean
}

/** Null: something may leave, or no stock is traded automatically at all. */
export function morningIdle({ stop, stocks }: Pick<Book, 'stop' | 'stocks'>, server: Server): MorningIdle | null {
  if (effectiveStop(server.serverStop, stop, 'active') === 'halt') return 'halt'
  if (server.shadow === true) return 'shadow'
  const held = [...stocks.values()]
    .filter(({ settings: { autoBuy, autoSell } }) => autoBuy || autoSell)
    .map((stock) => (stock.stop === 'halt' ? 'halt' : isShadowed(stock, server) ? 'shadow' : null))
  if (held.length === 0 || held.includes(null)) return null
  return held.includes('shadow') ? 'shadow' : 'halt'
}
