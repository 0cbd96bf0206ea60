import type { SaleQuote } from '@digger/contract'
import { readNumber } from '@digger/contract/typed-number'
import { Link } from 'wouter'
import { Field } from '../../../components/Field.tsx'
import { Stepper } from '../../../components/Stepper.tsx'
import { stamp } from '../../../format/time.ts'
import { number, won } from '../../../format/won.ts'
import {
  boundTexts,
  MAX_SLICES,
  roundedPrice,
  sharesOf,
  slicesText,
  tickText,
  type Portion,
  type Sale,
  type SaleDraft,
} from './saleForm.ts'
import css from './SellSheet.module.css'

interface Props {
  sale: Sale
  draft: SaleDraft
  onChange: (draft: SaleDraft) => void
  /** The last answer of the server. */
  quote: SaleQuote | undefined
  /** Whether it answers what is typed. */
  isCurrent: boolean
}

/** Price, shares and number of orders; of one trade there is nothing to choose. */
export function SaleFields({ sale, draft, onChange, quote, isCurrent }: Props) {
  const { stock, how, trade } = sale
  if (trade !== undefined) {
    const resting = trade.sellOrderId === null ? '' : ' 걸려 있는 매도 주문은 취소합니다.'
    return <p className={css['note']}>{`${stamp(trade.buyDateTime)}에 산 매매 하나를 지금 팝니다.${resting}`}</p>
  }
  const rounded = quote === undefined || !isCurrent || how !== 'price' ? null : roundedPrice(draft, quote)
  return (
    <>
      {how === 'price' && (
        <Field
          label="매도가"
          unit="원"
          inputMode="numeric"
          autoComplete="off"
          grouped
          aside={`현재가 ${won(quote?.price ?? stock.price)}`}
          value={draft.price}
          onChange={(price) => onChange({ ...draft, price })}
          help={
            rounded === null ? (
              // The line is there before it is needed: nothing moves.
              '\u00A0'
            ) : (
              <>
                {tickText(rounded, stock.kind)} <b>{won(rounded)}</b>에 냅니다.
              </>
            )
          }
        />
      )}
      <Amount sale={sale} draft={draft} onChange={onChange} quote={quote} />
      {how === 'price' && (
        <div className={css['slices']}>
          <Stepper
            label="나눌 개수"
            unit={1}
            value={draft.slices}
            onChange={(slices) => onChange({ ...draft, slices: withinSlices(slices) })}
          />
          <p className={css['note']}>{(quote && slicesText(quote.orders)) ?? '한 번에 냅니다.'}</p>
        </div>
      )}
      {stock.autoSell && <p className={css['note']}>걸려 있는 자동 매도 주문은 취소하고 이 주문을 냅니다.</p>}
    </>
  )
}

/** The buttons go no further than there is to go; what is typed stays as typed. */
const withinSlices = (text: string): string => {
  const count = readNumber(text)
  if (typeof count !== 'number') return text
  return count < 1 ? '1' : count > MAX_SLICES ? String(MAX_SLICES) : text
}

const PORTIONS: readonly (readonly [Portion, string])[] = [
  ['one', ''],
  ['half', '절반 '],
  ['all', '전부 '],
]

function Amount({ sale: { ordersHref }, draft, onChange, quote }: Omit<Props, 'isCurrent'>) {
  const free = quote?.free ?? null
  const { amount } = draft
  const shown = typeof amount === 'object' ? amount.typed : free === null ? '' : number(sharesOf(amount, free))
  const bound = quote === undefined ? [] : boundTexts(quote)
  return (
    <Field
      label="수량"
      unit="주"
      inputMode="numeric"
      autoComplete="off"
      grouped
      aside={quote && `팔 수 있는 ${number(quote.free)}주 / 보유 ${number(quote.held)}주`}
      value={shown}
      onChange={(typed) => onChange({ ...draft, amount: { typed } })}
      help={
        bound.length === 0 ? undefined : (
          <>
            {bound.join(' ')} <Link href={ordersHref}>주문 보기</Link>
          </>
        )
      }
    >
      <fieldset className={css['portions']} aria-label="수량 고르기">
        {PORTIONS.map(([portion, word]) => (
          <button
            key={portion}
            type="button"
            aria-pressed={amount === portion}
            disabled={free === null || sharesOf(portion, free) === 0}
            onClick={() => onChange({ ...draft, amount: portion })}
          >
            {word}
            {free === null ? '—' : number(sharesOf(portion, free))}주
          </button>
        ))}
      </fieldset>
    </Field>
  )
}
