import type { ReactNode } from 'react'
import css from './Entrance.module.css'

/** The frame of the pages before the login. */
export function Entrance({ name, lead, children }: { name: string; lead: string; children: ReactNode }) {
  return (
    <main className={css['entrance']}>
      <header>
        <img src="/icon.svg" width="56" height="56" alt="" />
        <p className={css['brand']}>Digger</p>
        <h1>{name}</h1>
        <p>{lead}</p>
      </header>
      {children}
    </main>
  )
}
