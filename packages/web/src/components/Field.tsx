import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import css from './Field.module.css'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'className'> & {
  label: string
  value: string
  onChange: (text: string) => void
  error?: string | undefined
  help?: ReactNode
  unit?: string | undefined
  /** A button inside the box, at its end. */
  end?: ReactNode
  /** Buttons that fill the field. */
  children?: ReactNode
}

export function Field({ label, value, onChange, error, help, unit, end, children, ...input }: Props) {
  const id = useId()
  const notes = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <div className={css['box']} data-wrong={error !== undefined}>
        <input
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error !== undefined}
          {...(notes && { 'aria-describedby': notes })}
          {...input}
        />
        {unit && <span className={css['unit']}>{unit}</span>}
        {end}
      </div>
      {children && <div className={css['fill']}>{children}</div>}
      {error && (
        <p id={`${id}-error`} className={css['error']}>
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className={css['help']}>
          {help}
        </p>
      )}
    </div>
  )
}

export function CheckField({
  name,
  label,
  checked,
  onChange,
  help,
}: {
  name?: string
  label: string
  checked: boolean
  onChange: (on: boolean) => void
  help?: ReactNode
}) {
  const id = useId()
  return (
    <div className={css['check']}>
      <label>
        <input
          type="checkbox"
          name={name}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          {...(help ? { 'aria-describedby': id } : {})}
        />
        <span>{label}</span>
      </label>
      {help && (
        <p id={id} className={css['help']}>
          {help}
        </p>
      )}
    </div>
  )
}

/** A small button that fills a field. */
export function Fill({ label, onFill, disabled = false }: { label: string; onFill: () => void; disabled?: boolean }) {
  return (
    <button type="button" className={css['chip']} onClick={onFill} disabled={disabled}>
      {label}
    </button>
  )
}
