import type { Stock } from '@digger/contract'
import { useMemo } from 'react'
import { Signed } from '../../components/Signed.tsx'
import { SortableTable, type Column } from '../../components/SortableTable.tsx'
import { gainOf, gainRatioOf } from '../../format/gain.ts'
import { number, shortWon } from '../../format/won.ts'
import { dayChange, Ladder } from './CardFigures.tsx'
import { fallToBuy, nextBuyText, nextSaleText } from './distance.ts'
import { todayGainOf } from './stockOrder.ts'
import { statusNames } from './StatusTags.tsx'
import css from './StockTable.module.css'
import { averagePriceOf } from './target.ts'
import type { StockListProps } from './useStockCards.tsx'
import type { StockActions } from './useStockActions.tsx'

/** The same stocks as lines of a table, for wide windows; a press on a name opens the menu of its card. */
export function StockTable({
  stocks,
  withSavedGain,
  open,
}: Omit<StockListProps, 'showDetail'> & Pick<StockActions, 'open'>) {
  const columns = useMemo(() => [...COLUMNS, ...(withSavedGain ? [SAVED] : []), ...PLAN], [withSavedGain])
  return <SortableTable caption="종목" columns={columns} rows={stocks} keyOf={codeOf} onOpen={open} />
}

const codeOf = ({ userId, code }: Stock): string => `${userId} ${code}`

/** What keeps a stock from trading as its settings say, and what is off. */
export function stateText(stock: Stock): string {
  const { frozen, due, blocked, stop, autoBuy, autoSell, priceSubscribed, statuses } = stock
  if (frozen) return '기준가 변동'
  if (blocked !== null) return '장부와 다름'
  if (stop !== 'active') return stop === 'halt' ? '모두 멈춤' : '매수 멈춤'
  if (statuses.length > 0) return statusNames(statuses)
  const off = [...(priceSubscribed ? [] : ['WATCH']), ...(autoBuy ? [] : ['BUY']), ...(autoSell ? [] : ['SELL'])]
  if (off.length > 0) return `${off.join(' ')} 꺼짐`
  return due === null ? '' : '주문 낼 차례'
}

function Name({ stock }: { stock: Stock }) {
  const state = stateText(stock)
  return (
    <>
      {stock.name}
      <small>
        {stock.code} {stock.nxt ? 'NXT' : 'KRX'} {state !== '' && <b>{state}</b>}
      </small>
    </>
  )
}

const COLUMNS: readonly Column<Stock>[] = [
  { name: '종목', text: true, by: ({ name }) => name, cell: (stock) => <Name stock={stock} /> },
  {
    name: '현재가',
    by: dayChange,
    cell: (stock) => (
      <>
        {number(stock.price)}
        <small>
          <Signed value={dayChange(stock)} unit="percent" />
        </small>
      </>
    ),
  },
  { name: '오늘', by: todayGainOf, cell: (stock) => <Signed value={todayGainOf(stock)} /> },
  {
    name: '보유 금액',
    by: ({ remainAmount }) => remainAmount,
    cell: (stock) => (
      <>
        {number(stock.remainAmount)}
        <small>
          {number(stock.remainCount)}주 × {number(averagePriceOf(stock))}
        </small>
      </>
    ),
  },
  {
    name: '평가 손익',
    by: gainRatioOf,
    cell: (stock) => (
      <>
        <b>
          <Signed value={gainRatioOf(stock)} unit="percent" />
        </b>
        <small>
          <Signed value={gainOf(stock)} />
        </small>
      </>
    ),
  },
]

const SAVED: Column<Stock> = {
  name: '누적 손익',
  by: ({ accGainAmount }) => accGainAmount,
  cell: ({ accGainAmount }) => <Signed value={accGainAmount} />,
}

const PLAN: readonly Column<Stock>[] = [
  {
    name: '사다리',
    text: true,
    by: ({ usedAmount, maxBuyAmount }) => maxBuyAmount && usedAmount / maxBuyAmount,
    cell: (stock) => (
      <div className={css['ladder']}>
        <Ladder stock={stock} />
        <small>
          {shortWon(stock.usedAmount)} / {stock.maxBuyAmount === null ? '—' : shortWon(stock.maxBuyAmount)}
        </small>
      </div>
    ),
  },
  {
    name: '다음 매수',
    by: fallToBuy,
    cell: (stock) => (
      <>
        {nextBuyText(stock)}
        <small>{number(stock.nextBuyPrice)}</small>
      </>
    ),
  },
  {
    name: '다음 매도',
    cell: (stock) => (
      <>
        {nextSaleText(stock)}
        <small>{number(stock.remainCount === 0 ? null : stock.nextSellPrice)}</small>
      </>
    ),
  },
]
