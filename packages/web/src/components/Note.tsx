import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import css from './Note.module.css'

interface Props {
  /** `late`: waits for somebody or something; `ok`: all is well; `plain`: only said. */
  tone: 'late' | 'ok' | 'plain'
  icon: IconName
  title: ReactNode
  children?: ReactNode
  /** Where the person can do something. */
  action?: ReactNode
}

/** A sentence with its sign on a tint: what there is, then what comes next. */
export function Note({ tone, icon, title, children, action }: Props) {
  return (
    <div className={css['note']} data-tone={tone}>
      <Icon name={icon} size={18} />
      <div>
        <p>
          <b>{title}</b>
        </p>
        {children && <p>{children}</p>}
        {action}
      </div>
    </div>
  )
}
