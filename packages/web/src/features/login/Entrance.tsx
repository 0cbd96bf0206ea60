import type { ReactNode } from 'react'
import { ENVIRONMENTS, useServerEnvironment } from '../../viewer/environment.ts'
import css from './Entrance.module.css'

/** The frame of the pages before the login. */
export function Entrance({ name, lead, children }: { name: string; lead: string; children: ReactNode }) {
  const env = useServerEnvironment()
  return (
    <main className={css['entrance']}>
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
