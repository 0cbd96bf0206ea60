import { lazyPage, type LazyPage } from './lazyPage.ts'

/** Those that are about the person, their broker key among it, or how their account is traded. */
export const personPages = {
  '/password': lazyPage(() => import('../features/login/PasswordPage.tsx'), 'PasswordPage'),
  '/security': lazyPage(() => import('../features/security/SecurityPage.tsx'), 'SecurityPage'),
  '/credentials': lazyPage(() => import('../features/login/CredentialsPage.tsx'), 'CredentialsPage'),
  '/check': lazyPage(() => import('../features/check/CheckPage.tsx'), 'CheckPage'),
  '/notification': lazyPage(() => import('../features/notification/NotificationPage.tsx'), 'NotificationPage'),
  '/tokens': lazyPage(() => import('../features/tokens/TokensPage.tsx'), 'TokensPage'),
  '/shadow': lazyPage(() => import('../features/shadow/ShadowPage.tsx'), 'ShadowPage'),
} as const satisfies Record<string, LazyPage>
