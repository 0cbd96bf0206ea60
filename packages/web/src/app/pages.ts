import { lazy, type ComponentType } from 'react'
import { Problem } from '../api/problem.ts'

const loaders = new Map<ComponentType, () => unknown>()

function page<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K): ComponentType {
  const Page: ComponentType = lazy(() =>
    load().then(
      (module): { default: ComponentType } => ({ default: module[name] }),
      (cause: unknown) => {
        throw new Problem('OFFLINE', '화면을 가져오지 못했습니다. 서버 연결을 확인하고 다시 시도해 주세요.', { cause })
      },
    ),
  )
  loaders.set(Page, load)
  return Page
}

/** Every route behind the login, after /{pathUserId}. */
export const pages = {
  '/balance': page(() => import('../features/stock/BalancePage.tsx'), 'BalancePage'),
  '/stock': page(() => import('../features/stock/StockListPage.tsx'), 'StockListPage'),
  '/stock/:stockCode/trade': page(() => import('../features/stock/trade/TradePage.tsx'), 'TradePage'),
  '/stock/:stockCode/settings': page(() => import('../features/stock/SettingsPage.tsx'), 'SettingsPage'),
  '/gain': page(() => import('../features/report/GainPage.tsx'), 'GainPage'),
  '/money': page(() => import('../features/report/MoneyPage.tsx'), 'MoneyPage'),
  '/kis/balance': page(() => import('../features/broker/BrokerBalancePage.tsx'), 'BrokerBalancePage'),
  '/kis/ordered': page(() => import('../features/broker/OrderedPage.tsx'), 'OrderedPage'),
  '/kis/order': page(() => import('../features/broker/OrderPage.tsx'), 'OrderPage'),
  '/password': page(() => import('../features/session/PasswordPage.tsx'), 'PasswordPage'),
  '/socket': page(() => import('../features/socket/SocketPage.tsx'), 'SocketPage'),
  '/audit': page(() => import('../features/report/AuditPage.tsx'), 'AuditPage'),
} as const satisfies Record<string, ComponentType>

export const adminPages = {
  '/admin/user': page(() => import('./admin/AdminUserPage.tsx'), 'AdminUserPage'),
  '/admin/stock': page(() => import('./admin/AdminStockPage.tsx'), 'AdminStockPage'),
  '/admin/gain': page(() => import('./admin/AdminGainPage.tsx'), 'AdminGainPage'),
  '/admin/money': page(() => import('./admin/AdminMoneyPage.tsx'), 'AdminMoneyPage'),
  '/admin/kis/balance': page(() => import('./admin/AdminBrokerBalancePage.tsx'), 'AdminBrokerBalancePage'),
  '/admin/kis/ordered': page(() => import('./admin/AdminOrderedPage.tsx'), 'AdminOrderedPage'),
  '/admin/kis/order': page(() => import('./admin/AdminOrderPage.tsx'), 'AdminOrderPage'),
} as const satisfies Record<string, ComponentType>

/** Starts to fetch the page of a path while the rest is still on its way; a miss only costs the head start. */
export function preload(path: string): void {
  const found = Object.entries({ ...pages, ...adminPages }).find(([rest]) =>
    new RegExp(`^/[^/]+${rest.replace(/:\w+/, '[^/]+')}$`).test(path === '/' ? '/user/balance' : path),
  )
  if (found) loaders.get(found[1])?.()
}
