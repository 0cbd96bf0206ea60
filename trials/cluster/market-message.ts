import { z } from 'zod'

/** Where clients find the pretend exchange. */
export const EXCHANGE_PORT = 8443
/** Of each account to begin with. */
export const CASH_WON = 10_000_000_000

/** What the pretend exchange is asked to do with its prices; `at`: all of them at so much above or below their base. */
export type MarketMessage = { readonly kind: 'swing' | 'still' } | { readonly kind: 'at'; readonly share: number }

/** What it says once it can be reached. */
export const MarketReady = z.object({ kind: z.literal('ready'), codes: z.array(z.string()) })
export type MarketReady = z.output<typeof MarketReady>

/** Of all accounts together, what an exchange on one core serves while everybody comes back from an outage at once. */
const MAX_SWINGING = 2_000

/** So many stocks of each account are bought and sold; the others are watched, too dear to be bought. */
export const swingingOf = ({ accounts, stocks }: { readonly accounts: number; readonly stocks: number }): number =>
  Math.min(stocks, Math.max(1, Math.floor(MAX_SWINGING / accounts)))
