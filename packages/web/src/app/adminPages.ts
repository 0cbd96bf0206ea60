import { lazyPage, type LazyPage } from './lazyPage.ts'

/** The routes that only administrators have. */
export const adminPages = {
  '/admin/user': lazyPage(() => import('./admin/AdminUserPage.tsx'), 'AdminUserPage'),
  '/admin/stock': lazyPage(() => import('./admin/AdminStockPage.tsx'), 'AdminStockPage'),
  '/admin/gain': lazyPage(() => import('./admin/AdminGainPage.tsx'), 'AdminGainPage'),
  '/admin/money': lazyPage(() => import('./admin/AdminMoneyPage.tsx'), 'AdminMoneyPage'),
  '/admin/kis/balance': lazyPage(() => import('./admin/AdminBrokerBalancePage.tsx'), 'AdminBrokerBalancePage'),
  '/admin/kis/ordered': lazyPage(() => import('./admin/AdminExecutedOrdersPage.tsx'), 'AdminExecutedOrdersPage'),
  '/admin/kis/order': lazyPage(() => import('./admin/AdminOrderPage.tsx'), 'AdminOrderPage'),
  '/admin/job': lazyPage(() => import('../features/jobs/JobsPage.tsx'), 'JobsPage'),
  '/admin/server': lazyPage(() => import('../features/workers/ServerPage.tsx'), 'ServerPage'),
  '/admin/calendar': lazyPage(() => import('../features/calendar/CalendarPage.tsx'), 'CalendarPage'),
} as const satisfies Record<string, LazyPage>
