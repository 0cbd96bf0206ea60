import css from './Segments.module.css'

interface Props<V extends string> {
  label: string
  options: readonly (readonly [value: V, name: string])[]
  value: V
  onChange: (value: V) => void
}

/** A choice between a few options, all of them visible. */
export function Segments<V extends string>({ label, options, value, onChange }: Props<V>) {
  return (
    <fieldset className={css['segments']}>
      <legend className="unseen">{label}</legend>
      {options.map(([option, name]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
