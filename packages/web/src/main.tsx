import './style/global.css'
import './style/fonts.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { earlyAnswers } from './api/early.ts'
import { App } from './app/App.tsx'
import { prepare, prepareAll } from './app/frame.ts'
import { endQuestionsOnLeaving } from './app/leaving.ts'
import { countTasks } from './components/Progress.tsx'
import { hideKeptPages } from './session/kept.ts'
import { rememberTyped } from './session/typed.ts'

/** The other pages are fetched when this one has long been there, ms. */
const OTHERS_AFTER_MS = 4_000

async function start(element: Element): Promise<void> {
  countTasks()
  endQuestionsOnLeaving()
  hideKeptPages()
  await prepare(location.pathname)
  await earlyAnswers()
  const app = (
    <StrictMode>
      <App />
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
  setTimeout(() => void prepareAll(), OTHERS_AFTER_MS)
}
