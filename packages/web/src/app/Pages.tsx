import { Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { Loading } from '../components/QueryView.tsx'
import { useViewer } from '../viewer/viewer.ts'
import { adminPages } from './adminPages.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { NotFound } from './NotFound.tsx'
import { pages } from './pages.ts'

/** The page of the path. */
export function Pages() {
  const { admin } = useViewer()
  const [path] = useLocation()
  const routes = Object.entries(admin ? { ...pages, ...adminPages } : pages)
  return (
    // A page that breaks leaves the bar, the menu and the stop; the next page starts afresh.
    <ErrorBoundary key={path}>
      <Suspense fallback={<Loading rows={0} />}>
        <Switch>
          {/* A path without a user id means me. These come first: /kis/balance is no balance of a user called kis. */}
          {[...Object.keys(pages), ...Object.keys(adminPages)].map((rest) => (
            <Route key={rest} path={rest}>
              <Redirect to={`/user${path}${location.search}`} replace />
            </Route>
          ))}
          {routes.map(([rest, page]) => (
            <Route key={rest} path={`/:userId${rest}`} component={page} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}
