import { lazyPage, type LazyPage } from './lazyPage.ts'

/** Those that are about stocks and their settings. */
export const stockPages = {
  '/stock': lazyPage(() => import('../features/stock/StockListPage.tsx'), 'StockListPage'),
  '/stock/:stockCode/trade': lazyPage(() => import('../features/stock/trade/TradePage.tsx'), 'TradePage'),
  '/stock/:stockCode/settings': lazyPage(() => import('../features/stock/SettingsPage.tsx'), 'SettingsPage'),
  '/whatif': lazyPage(() => import('../features/stock/whatif/WhatIfPage.tsx'), 'WhatIfPage'),
} as const satisfies Record<string, LazyPage>
