import type { Reply, Stock } from '@digger/contract'
import { memo } from 'react'
import { Link } from 'wouter'
import { isSameBesidePrice } from '../besidePrice.ts'
import { StockCard } from '../StockCard.tsx'
import { StockStop } from '../StockStop.tsx'
import { BalanceCheck, type Place } from './BalanceCheck.tsx'
import css from './TradePage.module.css'

interface Props {
  stock: Stock
  place: Place
  withSavedGain: boolean
  /** What a comparison by hand found. */
  checked: Reply<'checkBalance'> | null
}

/** What is known of the stock, where it is set and stopped, and whether the broker agrees. */
export function StockFacts({ stock, place, withSavedGain, checked }: Props) {
  return (
    <>
      <StockCard stock={stock} withSavedGain={withSavedGain} showDetail />
      <Tools stock={stock} place={place} />
      <BalanceCheck stock={stock} place={place} checked={checked} />
    </>
  )
}

const Tools = memo(function Tools({ stock, place }: { stock: Stock; place: Place }) {
  return (
    <div className={css['tools']}>
      <Link href={`/${place.userId}/stock/${stock.code}/settings`}>설정과 다음 주문</Link>
      <StockStop stock={stock} />
    </div>
  )
}, isSameBesidePrice)
