import type { Services } from '../services.ts'
import { connectionCheckHandlers } from './connection-check.ts'
import { historyHandlers } from './history.ts'
import { shadowHandlers } from './shadow.ts'

/** What is tried before real money is at stake. */
export const rehearsingHandlers = (services: Services) => ({
  ...historyHandlers(services),
  ...connectionCheckHandlers(services),
  ...shadowHandlers(services),
})
