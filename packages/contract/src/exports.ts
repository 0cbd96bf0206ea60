import { z } from 'zod'
import { day, shares, won } from './entities.ts'

/** What can be saved as a table: lots, Digger's own orders, realised gain, money by day, and the log of the account. */
export const ExportTable = z.enum(['trades', 'orders', 'gain', 'money', 'audit'])
export type ExportTable = z.infer<typeof ExportTable>

/** What the broker books for a day: won. Its gain is after fee and tax, its cost a moving average. */
const Booked = z.object({
  date: day,
  buyAmount: won,
  sellAmount: won,
  gainAmount: won,
  fee: won,
  tax: won,
})

export const BrokerProfit = z.object({
  days: z.array(Booked),
  /** Of days on which something was sold; a stock may have several entries of a day. */
  sales: z.array(Booked.extend({ code: z.string(), name: z.string(), soldCount: shares })),
})
export type BrokerProfit = z.infer<typeof BrokerProfit>
