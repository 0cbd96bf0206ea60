import './style/global.css'
import './style/fonts.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { prepare, prepareAll } from './app/frame.ts'
import { endQuestionsOnLeaving } from './app/leaving.ts'
import { countTasks } from './components/Progress.tsx'

/** The other pages are fetched when this one has long been there, ms. */
const OTHERS_AFTER_MS = 4_000

async function start(element: Element): Promise<void> {
  countTasks()
  endQuestionsOnLeaving()
  await prepare(location.pathname)
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
void start(root)

if (import.meta.env.PROD) {
  // Without it the app works the same, only starts slower.
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  setTimeout(() => void prepareAll(), OTHERS_AFTER_MS)
}
