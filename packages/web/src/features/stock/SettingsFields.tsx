import type { ReactNode } from 'react'
import { CheckField, Field, Fill } from '../../components/Field.tsx'
import { number } from '../../format/won.ts'
import type { Draft, NumberName, SwitchName } from './draft.ts'
import { resetLadder, TITLES } from './draft.ts'

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
  const field = (name: NumberName, unit: string, children?: ReactNode) => (
    <Field
      label={TITLES[name]}
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
  const check = (name: SwitchName) => (
    <CheckField
      label={TITLES[name]}
      checked={draft[name]}
      onChange={(on) => onChange({ ...draft, [name]: on })}
      help={help?.[name]}
    />
  )
  return (
    <>
      {check('autoBuy')}
      {field(
        'maxBuyPrice',
        '원',
        <>
          <Fill label="현재가" disabled={price === null} onFill={() => set('maxBuyPrice', number(price))} />
          <Fill label="초기화" onFill={() => onChange(resetLadder(draft))} />
        </>,
      )}
      {field('lastBuyPrice', '원')}
      {field('maxBuyAmount', '원', fills('maxBuyAmount', MAX_BUY_AMOUNTS))}
      {field('buyUnitPrice', '원', fills('buyUnitPrice', BUY_UNITS))}
      {field('buyPercent', '%', fills('buyPercent', BUY_PERCENTS))}
      {check('autoSell')}
      {field('sellPercent', '%', fills('sellPercent', SELL_PERCENTS))}
      {check('autoSellWithAvgPrice')}
      {check('useMinSellPrice')}
      {field('minSellPrice', '원')}
      {check('recoverLastBuyPrice')}
    </>
  )
}
