import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { createQueryClient } from '../api/read.ts'
import { Loading } from '../components/QueryView.tsx'
import { useLive } from '../live/useLive.ts'
import { knowMarket } from '../session/market.ts'
import { usePathUser, useViewer } from '../session/viewer.ts'
import { Banners } from './Banners.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { NotFound } from './NotFound.tsx'
import { adminPages, pages } from './pages.ts'
import css from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'

/** Everything behind the log-in. It owns the query cache, so the next person starts with an empty one. */
export function Shell() {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  )
}

/** The font's style sheet waits this long after the start, so that it does not delay the first paint, ms. */
const SYLLABLES_DELAY_MS = 700

/** Loads the font of the syllables in names; the device's own font shows them until then. */
function loadNameSyllables(): () => void {
  const timer = setTimeout(() => void import('virtual:name-syllables.css').catch(() => undefined), SYLLABLES_DELAY_MS)
  return () => clearTimeout(timer)
}

/** Shows bar, menu, banners, and the page of the path. */
function Frame() {
  const [menu, setMenu] = useState(false)
  const user = usePathUser()
  useLive(user)
  useEffect(loadNameSyllables, [])
  const { me } = useViewer()
  useEffect(() => knowMarket(me?.market), [me?.market])
  return (
    <div className={css['shell']}>
      <TopBar onMenu={() => setMenu(true)} />
      <SideMenu open={menu} onClose={() => setMenu(false)} />
      <div className={css['content']}>
        <Banners />
        <Pages />
      </div>
    </div>
  )
}

function Pages() {
  const { admin } = useViewer()
  const [path] = useLocation()
  const routes = Object.entries(admin ? { ...pages, ...adminPages } : pages)
  return (
    // A page that breaks leaves the bar, the menu and the stop; the next page starts afresh.
    <ErrorBoundary key={path}>
      <Suspense fallback={<Loading rows={0} />}>
        <Switch>
          {routes.map(([rest, page]) => (
            <Route key={rest} path={`/:userId${rest}`} component={page} />
          ))}
          {/* A path without a user id means me. */}
          {[...Object.keys(pages), ...Object.keys(adminPages)].map((rest) => (
            <Route key={rest} path={rest}>
              <Redirect to={`/user${path}${location.search}`} replace />
            </Route>
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}
