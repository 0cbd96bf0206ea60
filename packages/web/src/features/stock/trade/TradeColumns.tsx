import type { Stock, Trade } from '@digger/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Loading, QueryView } from '../../../components/QueryView.tsx'
import { won } from '../../../format/won.ts'
import { usePathUser } from '../../../url/user.ts'
import { StockCard } from '../StockCard.tsx'
import { StockStop } from '../StockStop.tsx'
import { ActionPanels } from './ActionPanels.tsx'
import { Chart } from './Chart.tsx'
import { LadderStairs } from './LadderStairs.tsx'
import { Reasons } from './Reasons.tsx'
import css from './TradePage.module.css'
import { NoTrades, Trades } from './Trades.tsx'

/** Of the ladder that comes with the trades, px. */
const LADDER = [420]

interface Props {
  stock: Stock
  trades: UseQueryResult<Trade[]>
  view: { withSavedGain: boolean; withOldTrade: boolean }
  balanceCheck: ReactNode
}

/** The stock, its chart, ladder, reasons and trades one below the other; on wide screens what is known of the stock stands beside its chart. */
export function TradeColumns({ stock, trades, view, balanceCheck }: Props) {
  const userId = usePathUser()
  return (
    <div className={css['columns']}>
      <div className={css['actions']}>
        <ActionPanels stock={stock} />
      </div>
      <div className={css['facts']}>
        <StockCard stock={stock} withSavedGain={view.withSavedGain} showDetail />
        <div className={css['tools']}>
          <Link href={`/${userId}/stock/${stock.code}/settings`}>설정과 다음 주문</Link>
          <StockStop stock={stock} />
        </div>
        {balanceCheck}
      </div>
      <div className={css['picture']}>
        <Chart stock={stock} trades={trades.data ?? []} />
      </div>
      <div className={css['ladder']}>
        {trades.isPending && <Loading rows={1} heights={LADDER} />}
        {trades.data && <LadderStairs stock={stock} trades={trades.data} />}
      </div>
      <div className={css['reasons']}>
        {/* The ladder would push them down. */}
        {!trades.isPending && <Reasons stock={stock} />}
      </div>
      <div className={css['all']}>
        {/* Ladder and reasons would push them down, too. */}
        {!trades.isPending && (
          <QueryView
            query={trades}
            empty={{ when: (list) => list.length === 0, show: <NoTrades old={view.withOldTrade} /> }}
          >
            {(list) => <Trades trades={list} stock={stock} />}
          </QueryView>
        )}
      </div>
    </div>
  )
}

/** Says that the page is computed with a price that somebody typed. */
export function SimulatedPrice({ price }: { price: number }) {
  return (
    <output className={css['simulated']}>
      가상 가격 <b>{won(price)}</b>으로 계산한 화면입니다. 실제 가격이 아닙니다.
    </output>
  )
}
