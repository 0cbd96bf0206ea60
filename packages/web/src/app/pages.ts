import { dayPages } from './dayPages.ts'
import { lazyPage, type LazyPage } from './lazyPage.ts'
import { personPages } from './personPages.ts'
import { stockPages } from './stockPages.ts'

/** Every route behind the login, after /{pathUserId}. */
export const pages = {
  '/balance': lazyPage(() => import('../features/stock/BalancePage.tsx'), 'BalancePage'),
  ...stockPages,
  '/gain': lazyPage(() => import('../features/report/GainPage.tsx'), 'GainPage'),
  '/money': lazyPage(() => import('../features/report/MoneyPage.tsx'), 'MoneyPage'),
  '/kis/balance': lazyPage(() => import('../features/broker/BrokerBalancePage.tsx'), 'BrokerBalancePage'),
  '/kis/ordered': lazyPage(() => import('../features/broker/ExecutedOrdersPage.tsx'), 'ExecutedOrdersPage'),
  '/kis/order': lazyPage(() => import('../features/broker/OrderPage.tsx'), 'OrderPage'),
  '/socket': lazyPage(() => import('../features/socket/SocketPage.tsx'), 'SocketPage'),
  '/limits': lazyPage(() => import('../features/limits/LimitsPage.tsx'), 'LimitsPage'),
  '/audit': lazyPage(() => import('../features/report/AuditPage.tsx'), 'AuditPage'),
  ...dayPages,
  ...personPages,
} as const satisfies Record<string, LazyPage>
