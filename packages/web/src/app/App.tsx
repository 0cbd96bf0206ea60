import { Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { onStepUp } from '../api/call.ts'
import { onFactorNeeded, onLoginRequired } from '../api/send.ts'
import { AskHost } from '../components/AskHost.tsx'
import { Loading } from '../components/QueryView.tsx'
import { GlobalProgress } from '../components/Progress.tsx'
import { HaltPage } from '../features/login/HaltPage.tsx'
import { JoinPage } from '../features/login/JoinPage.tsx'
import { LoginPage } from '../features/login/LoginPage.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Shell } from './preload.ts'

/** Where a second factor is set up. */
const SECURITY = '/user/security'

export function App() {
  const [, navigate] = useLocation()
  onLoginRequired(() => {
    const { pathname, search } = location
    // Several reads of a page are refused one after the other: the first has led to the log-in already.
    if (pathname !== '/login') navigate('/login', { replace: true, state: { next: pathname + search } })
  })
  onFactorNeeded(() => {
    if (location.pathname !== SECURITY) navigate(SECURITY, { replace: true })
  })
  onStepUp(async () => (await import('../prove/stepUp.ts')).stepUp())
  return (
    <>
      <ErrorBoundary>
        <Suspense fallback={<Loading rows={0} />}>
          <Switch>
            <Route path="/">
              <Redirect to="/user/balance" replace />
            </Route>
            <Route path="/login" component={LoginPage} />
            <Route path="/join" component={JoinPage} />
            {/* In the first chunk like the two before: it must open where no server answers any more. */}
            <Route path="/halt" component={HaltPage} />
            <Route component={Shell} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
      <AskHost />
      <GlobalProgress />
    </>
  )
}
