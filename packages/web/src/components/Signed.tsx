import { number, percent, signOf, withMinus } from '../format/won.ts'
import css from './Signed.module.css'

const MARKS = { 1: '▲', '-1': '▼', 0: '' } as const
const TONES = { 1: 'up', '-1': 'down', 0: 'flat' } as const

/** A change: red ▲ up, blue ▼ down, with its sign for those who see no colour. */
export function Signed({
  value,
  unit = 'won',
  mark = false,
}: {
  value: number | null
  /** `plain`: under a heading that says what it is. */
  unit?: 'won' | 'percent' | 'plain'
  mark?: boolean
}) {
  if (value === null) return <span className={css['signed']}>—</span>
  const sign = signOf(value, unit === 'percent' ? 2 : 0)
  const text = unit === 'percent' ? percent(sign === 0 ? 0 : value) : number(value)
  return (
    <span className={css['signed']} data-tone={TONES[sign]}>
      {mark && sign !== 0 && <span aria-hidden="true">{MARKS[sign]} </span>}
      {sign > 0 ? '+' : ''}
      {withMinus(text)}
      {unit === 'won' && <span className={css['unit']}>원</span>}
    </span>
  )
}
