import './style/global.css'
import './style/fonts.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { awaitPrefetched } from './api/prefetch.ts'
import { App } from './app/App.tsx'
import { preloadRoute, preloadOtherPages } from './app/preload.ts'
import { withTransition } from './app/transition.ts'
import { dismissDialogsOnNavigation } from './ask/ask.ts'
import { countTasks } from './components/Progress.tsx'
import { watchSecondPresses } from './components/secondPress.ts'
import { watchPending } from './url/pending.ts'
import { hideCachedPages } from './viewer/backForwardCache.ts'
import { rememberTyped } from './features/login/typed.ts'

/** The other pages are fetched when this one has long been there, ms. */
const OTHERS_AFTER_MS = 4_000

async function start(element: Element): Promise<void> {
  countTasks()
  dismissDialogsOnNavigation()
  watchSecondPresses()
  watchPending()
  hideCachedPages()
  await preloadRoute(location.pathname)
  await awaitPrefetched()
  const app = (
    <StrictMode>
      <Router aroundNav={withTransition}>
        <App />
      </Router>
    </StrictMode>
  )
  // The pages before the log-in are there already.
  if (element.hasChildNodes()) {
    rememberTyped(element)
    hydrateRoot(element, app)
  } else createRoot(element).render(app)
}

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
void start(root)

if (import.meta.env.PROD) {
  // Without the worker the client works the same, only starts more slowly.
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  setTimeout(() => void preloadOtherPages(), OTHERS_AFTER_MS)
}
