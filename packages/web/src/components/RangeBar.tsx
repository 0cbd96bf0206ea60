import { monthOf, showRange, yearOf, type Range } from '../format/day.ts'
import { IconButton } from './Button.tsx'
import css from './RangeBar.module.css'

/** The range that is shown, with a step back and forth: by years when a whole year is shown, else by months. */
export function RangeBar({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const year = yearOf(range.fromDate)
  const whole = year.fromDate === range.fromDate && year.toDate === range.toDate
  const step = (move: number) => onChange(whole ? yearOf(range.fromDate, move) : monthOf(range.fromDate, move))
  const unit = whole ? '해' : '달'
  return (
    <div className={css['bar']}>
      <IconButton icon="back" label={`이전 ${unit}`} onClick={() => step(-1)} />
      <b>{showRange(range)}</b>
      <IconButton icon="next" label={`다음 ${unit}`} onClick={() => step(1)} />
    </div>
  )
}
