import './style/global.css'
import './style/fonts.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { preload } from './app/pages.ts'

preload(location.pathname)

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the app works the same, only starts slower.
  navigator.serviceWorker.register('/sw.js').catch(() => undefined)
}
