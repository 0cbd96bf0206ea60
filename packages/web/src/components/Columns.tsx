import type { ReactNode } from 'react'
import css from './Columns.module.css'

/** A picture and what it sums up: beside each other on wide screens, where the picture stays in sight. */
export function Columns({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className={css['columns']}>
      <div className={css['picture']}>{picture}</div>
      <div>{children}</div>
    </div>
  )
}
