import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/App.tsx'

/** Renders the log-in or sign-up page to HTML, which the client hydrates as it is. Runs only in the build. */
export const renderAuthPage = (path: string): string =>
  renderToString(
    <StrictMode>
      <Router ssrPath={path}>
        <App />
      </Router>
    </StrictMode>,
  )
