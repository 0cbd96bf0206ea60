import css from './Badge.module.css'

interface Props {
  label: string
  on: boolean
  /** What the switch does, for screen readers. */
  meaning?: string
  onToggle?: ((on: boolean) => void) | undefined
  busy?: boolean
}

/** Blue when on, gray when off. With `onToggle` it is a switch. */
export function Badge({ label, on, meaning, onToggle, busy = false }: Props) {
  if (onToggle === undefined) {
    return (
      <span className={css['badge']} data-on={on} title={meaning}>
        {label}
        <span className="unseen">{on ? ' 켜짐' : ' 꺼짐'}</span>
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
      disabled={busy}
      onClick={() => onToggle(!on)}
    >
      <span className={css['badge']} data-on={on}>
        {label}
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
