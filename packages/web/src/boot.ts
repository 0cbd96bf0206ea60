import { prefetch } from './api/prefetch.ts'

// Runs while the rest is still on its way: what the page of this address needs is asked for at once.
const path = location.pathname === '/' ? '/user/balance' : location.pathname
if (!/^\/(?:login|join|halt)$/.test(path)) {
  // The page that needs a part reports when it cannot be fetched.
  import('./app/Shell.tsx').catch(() => undefined)
  prefetch(path, location.search)
}
