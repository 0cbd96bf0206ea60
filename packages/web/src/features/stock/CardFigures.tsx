import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { LadderBar } from '../../components/LadderBar.tsx'
import { Signed } from '../../components/Signed.tsx'
import { useNow } from '../../clock/now.ts'
import { gainOf } from '../../format/gain.ts'
import { number, shortWon, won } from '../../format/won.ts'
import { nextBuyText, nextSaleText } from './distance.ts'
import { ladderCounts } from './ladderSteps.ts'
import { Holding } from './Holding.tsx'
import { isLate } from './lateOrder.ts'
import { PriceAge } from './PriceAge.tsx'
import css from './StockCard.module.css'

/** What is held at which price, how far down its ladder it is, what comes next, and what it cost and brought. */
export function CardFigures({ stock, withSavedGain }: { stock: Stock; withSavedGain: boolean }) {
  return (
    <>
      <p className={css['now']}>
        <span>
          {number(stock.remainCount)}주 × {won(stock.price)} <DayChange stock={stock} />
          <PriceAge stock={stock} />
        </span>
        <span>
          <span className="unseen">손익 </span>
          <Signed value={gainOf(stock)} />
        </span>
      </p>
      <Ladder stock={stock} />
      <NextOrders stock={stock} />
      <Holding stock={stock} withSavedGain={withSavedGain} />
    </>
  )
}

/** Percent since the day's base; nothing where either is not known, or the share became another one. */
export const dayChange = ({ price, basePrice, frozen }: Stock): number | null =>
  price === null || basePrice === null || basePrice === 0 || frozen ? null : (price / basePrice - 1) * 100

function DayChange({ stock }: { stock: Stock }) {
  const change = dayChange(stock)
  return (
    change !== null && (
      <small className={css['change']}>
        <span className="unseen">오늘 </span>
        <Signed value={change} unit="percent" />
      </small>
    )
  )
}

/** What the bar follows from; the price is not among it. */
const BAR_FIELDS = [
  'version',
  'remainCount',
  'remainAmount',
  'buyingAmount',
  'expected',
  'lastBuyPrice',
  'maxBuyPrice',
  'maxBuyAmount',
  'buyUnitPrice',
  'buyPercent',
  'autoBuy',
  'due',
  'stop',
  'blocked',
  'frozen',
] as const satisfies readonly (keyof Stock)[]

/** Its steps are counted anew only when something but the price has changed. */
export const Ladder = memo(
  function Ladder({ stock }: { stock: Stock }) {
    const late = useNow((now) => stock.due?.side === 'buy' && isLate(stock, now))
    const { stop, frozen, blocked, autoBuy } = stock
    const stopped = stop !== 'active' || frozen !== null || blocked !== null || !autoBuy
    return <LadderBar {...ladderCounts(stock)} state={stopped ? 'stopped' : late ? 'late' : 'on'} />
  },
  (old, next) => BAR_FIELDS.every((field) => old.stock[field] === next.stock[field]),
)

/** How far the next buy and the next sale are, and between them how much of the cap is used. */
function NextOrders({ stock }: { stock: Stock }) {
  return (
    <p className={css['next']}>
      <span>
        다음 매수 <b>{nextBuyText(stock)}</b>
      </span>
      <span>
        <span className="unseen">쓴 돈과 한도 </span>
        {shortWon(stock.usedAmount)} / {stock.maxBuyAmount === null ? '—' : shortWon(stock.maxBuyAmount)}
      </span>
      <span>
        다음 매도 <b>{nextSaleText(stock)}</b>
      </span>
    </p>
  )
}
