import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/App.tsx'

/** A page before the log-in as HTML; the client takes it over as it is. Runs only where the client is built. */
export const entrance = (path: string): string =>
  renderToString(
    <StrictMode>
      <Router ssrPath={path}>
        <App />
      </Router>
    </StrictMode>,
  )
