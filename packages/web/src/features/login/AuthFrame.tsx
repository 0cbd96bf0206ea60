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
        <img src="/icon.svg" width="56" height="56" alt="" />
        <p className={css['brand']}>Digger</p>
        {/* Takes its room when empty too, so that the server's reply moves nothing. */}
        <p className={css['env']} data-env={env}>
          {env && ENVIRONMENTS[env]}
        </p>
        <h1>{name}</h1>
        <p>{lead}</p>
      </header>
      {children}
    </main>
  )
}
