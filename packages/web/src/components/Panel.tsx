import type { ReactNode } from 'react'
import { stamp } from '../format/time.ts'
import css from './Panel.module.css'

export function Panel({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <section className={css['panel']} {...(label && { 'aria-label': label })}>
      {children}
    </section>
  )
}

/** `at`: since when it is known (ISO), beside its name. */
type Fact = readonly [name: string, value: ReactNode, at?: string]

/** Name and value in pairs; with `lead` the first is what the page is about. */
export function Facts({ facts, lead = false }: { facts: readonly Fact[]; lead?: boolean }) {
  return (
    <dl className={css['facts']} data-lead={lead}>
      {facts.map(([name, value, at]) => (
        <div key={name}>
          <dt>
            {name}
            {at !== undefined && <time dateTime={at}>({stamp(at)})</time>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
