import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import css from './Field.module.css'
import { useGroupedDigits } from './groupedDigits.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'className'> & {
  label: string
  value: string
  onChange: (text: string) => void
  error?: string | undefined
  help?: ReactNode
  unit?: string | undefined
  /** A button inside the box, at its end. */
  end?: ReactNode
  /** Stands at the right of the label. */
  aside?: ReactNode
  /** Tinted: not what it was. */
  changed?: boolean
  /** Separates thousands while a number is typed. */
  grouped?: boolean
  /** What would surprise about the value. */
  warning?: string | undefined
  /** Buttons that fill the field. */
  children?: ReactNode
}

export function Field({
  label,
  value,
  onChange,
  error,
  help,
  unit,
  end,
  aside,
  changed = false,
  grouped = false,
  warning,
  children,
  ...input
}: Props) {
  const id = useId()
  const changeGrouped = useGroupedDigits(onChange)
  const notes = [error && `${id}-error`, warning && `${id}-warning`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={css['field']}>
      <div className={css['head']}>
        <label htmlFor={id}>{label}</label>
        {aside !== undefined && <span>{aside}</span>}
      </div>
      <div className={css['box']} data-wrong={error !== undefined} data-changed={changed}>
        <input
          id={id}
          value={value}
          onChange={grouped ? changeGrouped : (event) => onChange(event.target.value)}
          aria-invalid={error !== undefined}
          {...(notes && { 'aria-describedby': notes })}
          {...input}
        />
        {unit && <span className={css['unit']}>{unit}</span>}
        {end}
      </div>
      {children && <div className={css['fill']}>{children}</div>}
      <Notes id={id} error={error} warning={warning} help={help} />
    </div>
  )
}

/** Below the field: what is wrong, what would surprise, what it means. */
function Notes({ id, error, warning, help }: Pick<Props, 'error' | 'warning' | 'help'> & { id: string }) {
  return (
    <>
      {error && (
        <p id={`${id}-error`} className={css['error']}>
          {error}
        </p>
      )}
      {warning && (
        <p id={`${id}-warning`} className={css['warning']}>
          {warning}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className={css['help']}>
          {help}
        </p>
      )}
    </>
  )
}

export function CheckField({
  name,
  label,
  checked,
  onChange,
  help,
  aside,
  changed = false,
}: {
  name?: string
  label: string
  checked: boolean
  onChange: (on: boolean) => void
  help?: ReactNode
  /** Stands at the right of the label. */
  aside?: ReactNode
  /** Tinted: not what it was. */
  changed?: boolean
}) {
  const id = useId()
  return (
    <div className={css['check']} data-changed={changed}>
      <label>
        <input
          type="checkbox"
          name={name}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          {...(help ? { 'aria-describedby': id } : {})}
        />
        <span>{label}</span>
        {aside !== undefined && <small>{aside}</small>}
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
export function Fill({
  label,
  name,
  onFill,
  disabled = false,
}: {
  label: string
  /** For screen readers, where the label alone would not do. */
  name?: string | undefined
  onFill: () => void
  disabled?: boolean
}) {
  return (
    <button type="button" className={css['chip']} aria-label={name} onClick={onFill} disabled={disabled}>
      {label}
    </button>
  )
}
