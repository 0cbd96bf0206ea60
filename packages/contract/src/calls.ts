import type { z } from 'zod'
import type { Call } from './calls/call.ts'
import { doorCalls } from './calls/door.ts'
import { stockCalls } from './calls/stock.ts'
import { tradeCalls } from './calls/trade.ts'
import { accountCalls } from './calls/account.ts'
import { orderCalls } from './calls/order.ts'
import { liveCalls } from './calls/live.ts'
import { adminCalls } from './calls/admin.ts'
import { jobCalls } from './calls/job.ts'
import { notificationCalls } from './calls/notification.ts'
import { exportCalls } from './calls/export.ts'
import { paths, type CallName } from './paths.ts'

export type { Access, Call } from './calls/call.ts'
export { StockUpdate } from './calls/stock.ts'

/** Every call once: the server's routes, the client's functions, the tests and OpenAPI all come from here. */
export const calls = {
  ...doorCalls,
  ...stockCalls,
  ...tradeCalls,
  ...accountCalls,
  ...orderCalls,
  ...liveCalls,
  ...adminCalls,
  ...jobCalls,
  ...notificationCalls,
  ...exportCalls,
} as const satisfies Record<CallName, Call>

export type Calls = typeof calls
/** What a caller may send and gets back, by call name. */
export type Input<N extends CallName> = {
  params: Calls[N] extends { params: infer P extends z.ZodType } ? z.input<P> : undefined
  query: Calls[N] extends { query: infer Q extends z.ZodType } ? z.input<Q> : undefined
  body: Calls[N] extends { body: infer B extends z.ZodType } ? z.input<B> : undefined
}
export type Reply<N extends CallName> = z.output<Calls[N]['reply']>
export { paths, type CallName }
