import type { Stock } from '@digger/contract'
import type { ReactNode } from 'react'
import { useToday } from '../../clock/now.ts'
import { CheckField, Field, Fill } from '../../components/Field.tsx'
import { number } from '../../format/won.ts'
import {
  changedNames,
  draftOf,
  numbersOf,
  resetLadder,
  TITLES,
  type Draft,
  type NumberName,
  type SwitchName,
} from './draft.ts'
import css from './SettingsFields.module.css'
import type { SettingsErrors } from './settingsErrors.ts'
import { warningsOf, warningText } from './warnings.ts'

interface Props {
  draft: Draft
  /** The stock as the person saw it: what is changed is compared with it. */
  seen: Stock
  /** Last price for the quick-fill button; null when none was seen. */
  price: number | null
  onChange: (draft: Draft) => void
  errors: SettingsErrors
  help?: Partial<Record<NumberName | SwitchName, ReactNode>>
}

interface QuickFill {
  readonly label: string
  readonly value: string
  /** Where the label is not the specification's own: begins with that one. */
  readonly name?: string
}
type Fills = readonly QuickFill[]

const amount = (spec: string, label: string, won: number): QuickFill => ({
  label,
  value: number(won),
  ...(label.startsWith(spec) ? {} : { name: `${spec} · ${label}` }),
})
const MAX_BUY_AMOUNTS: Fills = [
  amount('1000', '1,000만', 10_000_000),
  amount('2000', '2,000만', 20_000_000),
  amount('3000', '3,000만', 30_000_000),
]
const BUY_UNITS: Fills = [amount('10', '10만', 100_000), amount('20', '20만', 200_000), amount('1', '1주', 1)]
const BUY_PERCENTS: Fills = ['-0.01', '-1'].map((percent) => ({ label: percent, value: percent }))
const SELL_PERCENTS: Fills = ['1.2', '10'].map((percent) => ({ label: percent, value: percent }))

/** A stock's settings as plain text fields with quick-fill buttons; the same in the dialog and on the settings page. */
export function SettingsFields(props: Props) {
  const { draft, price, onChange } = props
  const { field, check } = useInputs(props)
  const set = (name: NumberName, text: string) => onChange({ ...draft, [name]: text })
  const fills = (name: NumberName, values: Fills) =>
    values.map((fill) => <Fill key={fill.label} {...fill} onFill={() => set(name, fill.value)} />)
  return (
    <>
      <Group title="매수">
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
      </Group>
      <Group title="매도">
        {check('autoSell')}
        {field('sellPercent', '%', fills('sellPercent', SELL_PERCENTS))}
        {check('autoSellWithAvgPrice')}
      </Group>
      <Group title="안전">
        {check('useMinSellPrice')}
        {field('minSellPrice', '원')}
        {check('recoverLastBuyPrice')}
      </Group>
    </>
  )
}

/** An input of each setting, with what was changed about it and what is wrong. */
function useInputs({ draft, seen, onChange, errors, help }: Props) {
  const present = draftOf(seen)
  const changed = new Set<string>(changedNames(seen, draft))
  const losing = useLosing(seen, draft)
  const field = (name: NumberName, unit: '원' | '%', children?: ReactNode) => (
    <Field
      label={TITLES[name]}
      unit={unit}
      name={name}
      inputMode={unit === '%' ? 'text' : 'numeric'}
      autoComplete="off"
      grouped={unit === '원'}
      changed={changed.has(name)}
      aside={changed.has(name) ? `지금 ${present[name] === '' ? '비움' : `${present[name]}${unit}`}` : undefined}
      value={draft[name]}
      onChange={(text) => onChange({ ...draft, [name]: text })}
      error={errors[name]}
      warning={name === 'sellPercent' && errors[name] === undefined ? losing : undefined}
      help={help?.[name]}
    >
      {children}
    </Field>
  )
  const check = (name: SwitchName) => (
    <CheckField
      label={TITLES[name]}
      checked={draft[name]}
      changed={changed.has(name)}
      aside={changed.has(name) ? `지금 ${present[name] ? '켜짐' : '꺼짐'}` : undefined}
      onChange={(on) => onChange({ ...draft, [name]: on })}
      help={help?.[name]}
    />
  )
  return { field, check }
}

/** That a sale at the target would cost more than it brings, as it is typed. */
function useLosing(stock: Stock, draft: Draft): string | undefined {
  const { settings, unread } = numbersOf(draft)
  const warnings = warningsOf(stock, settings, [], useToday())
  const losing = unread.includes('sellPercent') ? undefined : warnings.find(({ code }) => code === 'losingTarget')
  return losing && warningText(losing, stock.autoSell)
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={css['group']}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)
