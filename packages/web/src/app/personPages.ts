import { lazyPage, type LazyPage } from './lazyPage.ts'

/** Those that are about the person, not about the account. */
export const personPages = {
  '/password': lazyPage(() => import('../features/login/PasswordPage.tsx'), 'PasswordPage'),
  '/credentials': lazyPage(() => import('../features/login/CredentialsPage.tsx'), 'CredentialsPage'),
  '/notification': lazyPage(() => import('../features/notification/NotificationPage.tsx'), 'NotificationPage'),
} as const satisfies Record<string, LazyPage>
