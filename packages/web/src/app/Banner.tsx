import type { ReactNode } from 'react'
import { Icon, type IconName } from '../components/Icon.tsx'
import css from './Banner.module.css'

/** One sentence above every page. */
export function Banner({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <output className={css['banner']}>
      <Icon name={icon} size={20} />
      <span>{children}</span>
    </output>
  )
}
