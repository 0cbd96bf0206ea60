import { later, type Later } from './later.ts'

/** Every route behind the login, after /{pathUserId}. */
export const pages = {
  '/balance': later(() => import('../features/stock/BalancePage.tsx'), 'BalancePage'),
  '/stock': later(() => import('../features/stock/StockListPage.tsx'), 'StockListPage'),
  '/stock/:stockCode/trade': later(() => import('../features/stock/trade/TradePage.tsx'), 'TradePage'),
  '/stock/:stockCode/settings': later(() => import('../features/stock/SettingsPage.tsx'), 'SettingsPage'),
  '/gain': later(() => import('../features/report/GainPage.tsx'), 'GainPage'),
  '/money': later(() => import('../features/report/MoneyPage.tsx'), 'MoneyPage'),
  '/kis/balance': later(() => import('../features/broker/BrokerBalancePage.tsx'), 'BrokerBalancePage'),
  '/kis/ordered': later(() => import('../features/broker/OrderedPage.tsx'), 'OrderedPage'),
  '/kis/order': later(() => import('../features/broker/OrderPage.tsx'), 'OrderPage'),
  '/password': later(() => import('../features/login/PasswordPage.tsx'), 'PasswordPage'),
  '/socket': later(() => import('../features/socket/SocketPage.tsx'), 'SocketPage'),
  '/limits': later(() => import('../features/limits/LimitsPage.tsx'), 'LimitsPage'),
  '/audit': later(() => import('../features/report/AuditPage.tsx'), 'AuditPage'),
} as const satisfies Record<string, Later>

export const adminPages = {
  '/admin/user': later(() => import('./admin/AdminUserPage.tsx'), 'AdminUserPage'),
  '/admin/stock': later(() => import('./admin/AdminStockPage.tsx'), 'AdminStockPage'),
  '/admin/gain': later(() => import('./admin/AdminGainPage.tsx'), 'AdminGainPage'),
  '/admin/money': later(() => import('./admin/AdminMoneyPage.tsx'), 'AdminMoneyPage'),
  '/admin/kis/balance': later(() => import('./admin/AdminBrokerBalancePage.tsx'), 'AdminBrokerBalancePage'),
  '/admin/kis/ordered': later(() => import('./admin/AdminOrderedPage.tsx'), 'AdminOrderedPage'),
  '/admin/kis/order': later(() => import('./admin/AdminOrderPage.tsx'), 'AdminOrderPage'),
} as const satisfies Record<string, Later>
