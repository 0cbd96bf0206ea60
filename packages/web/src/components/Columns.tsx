import type { ReactNode } from 'react'
import css from './Columns.module.css'

/** A chart and the list that it sums up: beside each other on wide screens, where the chart stays in sight. */
export function Columns({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className={css['columns']}>
      <div className={css['picture']}>{picture}</div>
      <div>{children}</div>
    </div>
  )
}
