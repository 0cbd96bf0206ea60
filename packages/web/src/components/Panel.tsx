import type { ReactNode } from 'react'
import css from './Panel.module.css'

export function Panel({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <section className={css['panel']} {...(label && { 'aria-label': label })}>
      {children}
    </section>
  )
}

/** Name and value in pairs. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
