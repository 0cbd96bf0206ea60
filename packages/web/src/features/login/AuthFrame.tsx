import type { ReactNode } from 'react'
import { ENVIRONMENTS, useServerEnvironment } from '../../session/environment.ts'
import css from './AuthFrame.module.css'

/** The frame of the pages before the login. */
export function AuthFrame({ name, lead, children }: { name: string; lead: string; children: ReactNode }) {
  const env = useServerEnvironment()
  return (
    <main className={css['frame']}>
      <header>
        <img src="/icon.svg" width="56" height="56" alt="" />
        <p className={css['brand']}>Digger</p>
        {/* Its room is kept, so that the answer moves nothing. */}
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
