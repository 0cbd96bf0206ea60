import css from './Segments.module.css'

interface Props<V extends string> {
  label: string
  options: readonly (readonly [value: V, name: string])[]
  value: V
  onChange: (value: V) => void
  /** Chips stand apart; else it is one control of several parts. */
  look?: 'joined' | 'chips'
}

/** A choice between a few options, all of them visible. */
export function Segments<V extends string>({ label, options, value, onChange, look = 'joined' }: Props<V>) {
  return (
    <fieldset className={css['segments']} data-look={look}>
      <legend className="unseen">{label}</legend>
      {options.map(([option, name]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
