import { readNumber } from '@digger/contract/typed-number'
import { useId } from 'react'
import { IconButton } from './Button.tsx'
import css from './Stepper.module.css'

interface Props {
  label: string
  value: string
  /** What one press adds or takes away. */
  unit: number
  onChange: (text: string) => void
}

/** A number with minus and plus. The text goes out as typed; the buttons move it by one unit. */
export function Stepper({ label, value, unit, onChange }: Props) {
  const id = useId()
  const step = (times: 1 | -1) => onChange(stepped(value, times * unit))
  return (
    <div className={css['stepper']}>
      <label htmlFor={id}>{label}</label>
      <div className={css['row']}>
        <IconButton icon="minus" label={`${label} ${unit} 줄이기`} onClick={() => step(-1)} />
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <IconButton icon="plus" label={`${label} ${unit} 늘리기`} onClick={() => step(1)} />
      </div>
    </div>
  )
}

/** Adds without the rounding errors of binary fractions: 1.1 + 0.1 is 1.2. Unreadable text counts as 0. */
export function stepped(text: string, change: number): string {
  const digits = Math.max(decimals(text), decimals(String(change)))
  return ((readNumber(text) ?? 0) + change).toFixed(digits)
}
const decimals = (text: string): number => text.split('.')[1]?.length ?? 0
