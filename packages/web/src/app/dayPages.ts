import { lazyPage, type LazyPage } from './lazyPage.ts'

/** The account's day. */
export const dayPages = {
  '/today': lazyPage(() => import('../features/today/TodayPage.tsx'), 'TodayPage'),
  '/morning': lazyPage(() => import('../features/morning/MorningPage.tsx'), 'MorningPage'),
} as const satisfies Record<string, LazyPage>
