import type { ReactNode } from 'react'
import css from './Panel.module.css'

export function Panel({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <section className={css['panel']} {...(label && { 'aria-label': label })}>
      {children}
    </section>
  )
}

type Fact = readonly [name: string, value: ReactNode]

/** Name and value in pairs; with `lead` the first is what the page is about. */
export function Facts({ facts, lead = false }: { facts: readonly Fact[]; lead?: boolean }) {
  return (
    <dl className={css['facts']} data-lead={lead}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
