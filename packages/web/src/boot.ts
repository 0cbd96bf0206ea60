import { prefetch } from './api/prefetch.ts'

// Runs while the rest is still on its way: what the page of this address needs is asked for at once.
const path = location.pathname === '/' ? '/user/balance' : location.pathname
if (!/^\/(?:login|join)$/.test(path)) {
  // A part that cannot be fetched is told by the page that needs it.
  import('./app/Shell.tsx').catch(() => undefined)
  prefetch(path, location.search)
}
