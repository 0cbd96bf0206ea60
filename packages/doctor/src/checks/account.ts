import type { Check } from '../check.ts'
import { balanceCheck } from './balance.ts'
import { buyableCheck, sellableCheck } from './buyable.ts'
import { openOrdersCheck } from './open-orders.ts'
import { ordersCheck } from './orders.ts'
import { dayProfitCheck, tradeProfitCheck } from './profit.ts'

/** In this order: later ones compare with what earlier ones found. */
export const ACCOUNT_CHECKS: readonly Check[] = [
  balanceCheck,
  buyableCheck,
  sellableCheck,
  ordersCheck,
  openOrdersCheck,
  dayProfitCheck,
  tradeProfitCheck,
]
