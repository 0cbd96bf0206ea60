import css from './PercentSlider.module.css'

interface Props {
  label: string
  /** Sizes it goes through, from the smallest on. */
  sizes: readonly number[]
  /** Place of the present one. */
  at: number
  textOf: (size: number) => string
  onMove: (size: number) => void
}

/** A size of a step, found by trying. */
export function PercentSlider({ label, sizes, at, textOf, onMove }: Props) {
  const text = textOf(sizes[at] ?? 0)
  return (
    <label className={css['slider']}>
      <span>
        {label} <b>{text}</b>
      </span>
      <input
        type="range"
        min={0}
        max={sizes.length - 1}
        value={at}
        aria-valuetext={text}
        onChange={(event) => onMove(sizes[event.currentTarget.valueAsNumber] ?? 0)}
      />
    </label>
  )
}
