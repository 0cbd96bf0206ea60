import type { ReactNode } from 'react'
import { CheckField, Field, Fill } from '../../components/Field.tsx'
import { number } from '../../format/won.ts'
import type { Draft, NumberName, SwitchName } from './draft.ts'
import { resetLadder } from './draft.ts'

interface Props {
  draft: Draft
  /** Last price for the quick-fill button; null when none was seen. */
  price: number | null
  onChange: (draft: Draft) => void
  help?: Partial<Record<NumberName | SwitchName, ReactNode>>
}

type Fills = readonly (readonly [label: string, value: string])[]

const won = (label: string, amount: number) => [label, number(amount)] as const
const MAX_BUY_AMOUNTS: Fills = [won('1000', 10_000_000), won('2000', 20_000_000), won('3000', 30_000_000)]
const BUY_UNITS: Fills = [won('10', 100_000), won('20', 200_000), won('1', 1)]
const BUY_PERCENTS: Fills = ['-0.01', '-1'].map((percent) => [percent, percent])
const SELL_PERCENTS: Fills = ['1.2', '10'].map((percent) => [percent, percent])

/** A stock's settings as plain text fields with quick-fill buttons; the same in the dialog and on the settings page. */
export function SettingsFields({ draft, price, onChange, help }: Props) {
  const set = (name: NumberName, text: string) => onChange({ ...draft, [name]: text })
  const field = (name: NumberName, label: string, unit: string, children?: ReactNode) => (
    <Field
      label={label}
      unit={unit}
      name={name}
      inputMode={unit === '%' ? 'text' : 'numeric'}
      autoComplete="off"
      value={draft[name]}
      onChange={(text) => set(name, text)}
      help={help?.[name]}
    >
      {children}
    </Field>
  )
  const fills = (name: NumberName, values: Fills) =>
    values.map(([label, value]) => <Fill key={label} label={label} onFill={() => set(name, value)} />)
  const check = (name: SwitchName, label: string) => (
    <CheckField
      label={label}
      checked={draft[name]}
      onChange={(on) => onChange({ ...draft, [name]: on })}
      help={help?.[name]}
    />
  )
  return (
    <>
      {check('autoBuy', '자동 매수 (BUY)')}
      {field(
        'maxBuyPrice',
        '최고 매수가 (M)',
        '원',
        <>
          <Fill label="현재가" disabled={price === null} onFill={() => set('maxBuyPrice', number(price))} />
          <Fill label="초기화" onFill={() => onChange(resetLadder(draft))} />
        </>,
      )}
      {field('lastBuyPrice', '마지막 매수가 (L)', '원')}
      {field('maxBuyAmount', '최대 매수 금액 (A)', '원', fills('maxBuyAmount', MAX_BUY_AMOUNTS))}
      {field('buyUnitPrice', '1회 매수 금액 (U)', '원', fills('buyUnitPrice', BUY_UNITS))}
      {field('buyPercent', '매수 비율', '%', fills('buyPercent', BUY_PERCENTS))}
      {check('autoSell', '자동 매도 (SELL)')}
      {field('sellPercent', '매도 비율', '%', fills('sellPercent', SELL_PERCENTS))}
      {check('autoSellWithAvgPrice', '평균 단가로 한 번에 매도')}
      {check('useMinSellPrice', '최저 매도가 사용')}
      {field('minSellPrice', '최저 매도가', '원')}
      {check('recoverLastBuyPrice', '판 뒤 매수 기준 되돌리기 (REC)')}
    </>
  )
}
