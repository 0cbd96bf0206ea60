import { useEffect, type ReactNode } from 'react'
import { ENVIRONMENTS, useServerEnvironment } from '../../viewer/environment.ts'
import css from './AuthFrame.module.css'

/** The frame of what is there without a log-in: log-in, sign-up, stop by a link. */
export function AuthFrame({ name, lead, children }: { name: string; lead: string; children: ReactNode }) {
  const env = useServerEnvironment()
  useEffect(() => {
    document.title = `${name} · Digger`
  }, [name])
  return (
    <main className={css['frame']}>
      <header>
        <p className={css['brand']}>
          <img src="/icon.svg" width="48" height="48" alt="" />
          Digger
          {/* At the end of the line: the server's reply moves nothing. */}
          <span className={css['env']} data-env={env}>
            {env && ENVIRONMENTS[env]}
          </span>
        </p>
        <h1>{name}</h1>
        <p>{lead}</p>
      </header>
      {children}
    </main>
  )
}
