import { lazyPage, type LazyPage } from './lazyPage.ts'

/** Where a person changes what only they know. */
export const secretPages = {
  '/password': lazyPage(() => import('../features/login/PasswordPage.tsx'), 'PasswordPage'),
  '/credentials': lazyPage(() => import('../features/login/CredentialsPage.tsx'), 'CredentialsPage'),
} as const satisfies Record<string, LazyPage>
