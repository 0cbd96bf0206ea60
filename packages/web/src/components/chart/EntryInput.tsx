import type { KeyboardEvent, RefObject } from 'react'
import css from './EntryInput.module.css'

interface Props {
  label: string
  count: number
  /** The entry that is read, from 0. */
  index: number
  /** What it says. */
  text: string
  onChoose: (index: number) => void
  onKeyDown?: (event: KeyboardEvent) => void
  input?: RefObject<HTMLInputElement | null>
}

/** The keyboard's way through the entries of a chart: arrows, Home and End, read out by screen readers. The picture shows its focus. */
export const EntryInput = ({ label, count, index, text, onChoose, onKeyDown, input }: Props) => (
  <input
    ref={input}
    className={css['input']}
    type="range"
    min={1}
    max={Math.max(count, 1)}
    value={index + 1}
    aria-label={label}
    aria-valuetext={text}
    onChange={(event) => onChoose(event.currentTarget.valueAsNumber - 1)}
    onKeyDown={onKeyDown}
  />
)
