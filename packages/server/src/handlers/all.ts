import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { accountHandlers } from './account.ts'
import { adminHandlers } from './admin.ts'
import { bulkHandlers } from './bulk.ts'
import { calendarHandlers } from './calendar.ts'
import { exportHandlers } from './export.ts'
import { liveHandlers } from './live.ts'
import { notificationHandlers } from './notification.ts'
import { orderHandlers } from './order.ts'
import { rehearsingHandlers } from './rehearsing.ts'
import { sessionHandlers } from './session.ts'
import { stockHandlers } from './stock.ts'
import { tokenHandlers } from './token.ts'
import { tradeHandlers } from './trade.ts'

/** One handler per call of the contract; a missing one is a type error here. */
export function allHandlers(services: Services): Handlers {
  return {
    ...sessionHandlers(services),
    ...stockHandlers(services),
    ...tradeHandlers(services),
    ...accountHandlers(services),
    ...notificationHandlers(services),
    ...orderHandlers(services),
    ...liveHandlers(services),
    ...adminHandlers(services),
    ...bulkHandlers(services),
    ...calendarHandlers(services),
    ...exportHandlers(services),
    ...rehearsingHandlers(services),
    ...tokenHandlers(services),
  }
}
