import type { ReactNode } from 'react'
import css from './Card.module.css'

interface Props {
  label: string
  /** Padding and layout of the content. */
  className: string | undefined
  children: ReactNode
}

/** A box about one thing: a stock, a trade. */
export function Card({ label, className = '', children }: Props) {
  return (
    <article className={`${css['card']} ${className}`} aria-label={label}>
      {children}
    </article>
  )
}

/** Makes the whole card the button that opens its menu; the card's switches lie above it. */
export function CardButton({ className = '', onClick, children }: Omit<Props, 'label'> & { onClick: () => void }) {
  return (
    <button type="button" className={`${css['button']} ${className}`} aria-haspopup="dialog" onClick={onClick}>
      {children}
    </button>
  )
}
