import { z } from 'zod'
import { Stock, won } from './entities.ts'

/** Sums of an account, won. One stock whose part is not known makes its sum null. */
const sums = {
  /** What is held, at the last prices. */
  stockValueAmount: won.nullable(),
  /** Cash and that. */
  totalAmount: won.nullable(),
  /** Realised by the sales of today: as the specification counts it, and after costs. Stocks that are not listed any more are in it. */
  today: z.object({ realised: won, realisedNet: won, open: won.nullable() }),
  /** Gain of past trades of every stock of the list, held or not. 0 where they are not asked for. */
  accGainAmount: won,
} as const

export const Balance = z.object({
  depositAmount: won.nullable(),
  stockBuyAmount: won,
  ...sums,
  list: z.array(Stock),
})
export type Balance = z.infer<typeof Balance>
