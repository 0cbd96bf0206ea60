import { adminPages } from './adminPages.ts'
import { lazyPage } from './lazyPage.ts'
import { pages } from './pages.ts'

/** The frame around every page behind the login. */
export const Shell = lazyPage(() => import('./Shell.tsx'), 'Shell')

/** Fetches what a path needs, so that its page can be shown at once. */
export async function preloadRoute(path: string): Promise<void> {
  const found = Object.entries({ ...pages, ...adminPages }).find(([rest]) =>
    new RegExp(`^/[^/]+${rest.replace(/:\w+/, '[^/]+')}$`).test(path === '/' ? '/user/balance' : path),
  )
  if (found) await Promise.all([Shell.fetch(), found[1].fetch()])
}

/** Fetches the user's other pages, so that none of them has to be waited for. */
export async function preloadOtherPages(): Promise<void> {
  await Promise.all(Object.values(pages).map((page) => page.fetch()))
}
