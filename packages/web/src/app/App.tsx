import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { onLoginRequired } from '../api/send.ts'
import { AskHost } from '../components/AskHost.tsx'
import { Loading } from '../components/Faces.tsx'
import { GlobalProgress } from '../components/Progress.tsx'
import { LoginPage } from '../features/session/LoginPage.tsx'
import { Crash } from './Crash.tsx'

const JoinPage = lazy(() => import('../features/session/JoinPage.tsx').then((m) => ({ default: m.JoinPage })))
const Shell = lazy(() => import('./Shell.tsx').then((m) => ({ default: m.Shell })))

export function App() {
  const [, navigate] = useLocation()
  onLoginRequired(() => navigate('/login', { replace: true }))
  return (
    <>
      <Crash>
        <Suspense fallback={<Loading rows={0} />}>
          <Switch>
            <Route path="/">
              <Redirect to="/user/balance" replace />
            </Route>
            <Route path="/login" component={LoginPage} />
            <Route path="/join" component={JoinPage} />
            <Route component={Shell} />
          </Switch>
        </Suspense>
      </Crash>
      <AskHost />
      <GlobalProgress />
    </>
  )
}
