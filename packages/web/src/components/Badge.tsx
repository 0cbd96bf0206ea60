import css from './Badge.module.css'

interface Props {
  label: string
  /** The same in Korean, behind it; what is off then says so in a word, too. */
  word?: string
  on: boolean
  /** What the switch does, for screen readers. */
  meaning?: string
  onToggle?: ((on: boolean) => void) | undefined
  busy?: boolean
}

/** Blue when on, gray when off. With `onToggle` it is a switch. */
export function Badge({ label, word, on, meaning, onToggle, busy = false }: Props) {
  const text = word === undefined ? label : `${label} ${word}`
  if (onToggle === undefined) {
    return (
      <span className={css['badge']} data-on={on} title={meaning}>
        {text}
        <span {...(word === undefined || on ? { className: 'unseen' } : {})}>&nbsp;{on ? '켜짐' : '꺼짐'}</span>
      </span>
    )
  }
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={meaning ?? label}
      className={css['switch']}
      aria-busy={busy}
      onClick={() => !busy && onToggle(!on)}
    >
      <span className={css['badge']} data-on={on}>
        {text}
        {busy ? ' 저장 중' : word !== undefined && !on && ' 꺼짐'}
      </span>
    </button>
  )
}

/** A coloured label that is not a switch's state: BUY, SELL, KRX, NXT. */
export function Tag({ text, tone }: { text: string; tone: 'blue' | 'red' | 'plain' }) {
  return (
    <span className={css['tag']} data-tone={tone}>
      {text}
    </span>
  )
}
