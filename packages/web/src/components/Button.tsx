import type { ButtonHTMLAttributes } from 'react'
import css from './Button.module.css'
import { Icon, type IconName } from './Icon.tsx'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  /** `risk`: leads to the question whether to do what cannot be taken back. */
  look?: 'main' | 'plain' | 'danger' | 'risk' | 'quiet'
  wide?: boolean
}

export function Button({ look = 'plain', wide = false, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type === 'submit' ? 'submit' : 'button'}
      className={css['button']}
      data-look={look}
      data-wide={wide}
      {...rest}
    />
  )
}

export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & Omit<Props, 'look' | 'wide'>) {
  return (
    <button {...rest} type="button" className={css['icon']} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}
