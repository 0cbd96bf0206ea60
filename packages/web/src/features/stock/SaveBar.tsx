import type { Stock } from '@digger/contract'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { number } from '../../format/won.ts'
import { numbersOf, type Draft } from './draft.ts'
import css from './SaveBar.module.css'
import { useWarnings } from './useWarnings.ts'
import { warningText } from './warnings.ts'

interface Props {
  stock: Stock
  draft: Draft
  /** Settings that are not what they were. */
  changed: number
  /** Settings that cannot be saved so. */
  wrong: number
  busy: boolean
  onReset: () => void
}

/** Stays in sight while something is changed: how much, what saving does in the next second, and the way back. */
export function SaveBar({ stock, draft, changed, wrong, busy, onReset }: Props) {
  const warnings = useWarnings(stock, numbersOf(draft).settings)
  const atOnce = warnings.filter(({ code }) => code === 'buysAtOnce' || code === 'sellsAtOnce')
  if (changed === 0) return null
  return (
    <section className={css['bar']} aria-label="저장">
      {wrong > 0 && <p className={css['wrong']}>고쳐야 저장할 수 있는 값이 {number(wrong)}개 있습니다.</p>}
      {wrong === 0 &&
        atOnce.map((warning) => (
          <p key={warning.code} className={css['warning']}>
            <Icon name="warn" size={18} />
            <span>{warningText(warning, stock.autoSell)}</span>
          </p>
        ))}
      <div className={css['buttons']}>
        <Button onClick={onReset} disabled={busy}>
          되돌리기
        </Button>
        <Button look="main" type="submit" disabled={busy}>
          바꾼 값 {number(changed)}개 저장
        </Button>
      </div>
    </section>
  )
}
