import type { Reply, Stock, Trade } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api/read.ts'
import { Loading, QueryView } from '../../../components/QueryView.tsx'
import { won } from '../../../format/won.ts'
import { flagText } from '../../../url/query.ts'
import { ActionPanels } from './ActionPanels.tsx'
import type { Place } from './BalanceCheck.tsx'
import { Chart } from './Chart.tsx'
import { LadderStairs } from './LadderStairs.tsx'
import { Reasons } from './Reasons.tsx'
import { StockFacts } from './StockFacts.tsx'
import css from './TradePage.module.css'
import { NoTrades, Trades } from './Trades.tsx'

/** Of the ladder that comes with the trades, px. */
const LADDER = [420]
const NO_TRADES: readonly Trade[] = []

/** Of what comes first while the stock is read: facts, tools, chart; px. */
const FIRST = [424, 60, 460]

interface Props {
  place: Place
  query: { withSavedGain: 'true' | 'false'; simulPrice?: number }
  view: { withSavedGain: boolean; withOldTrade: boolean }
  /** What a comparison by hand found. */
  checked: Reply<'checkBalance'> | null
}

/** The stock, its chart, ladder, reasons and trades one below the other; on wide screens what is known of the stock stands beside its chart. */
export function TradeColumns({ place, query, view, checked }: Props) {
  const stock = useQuery(read('stock', { params: place, query }))
  return (
    <QueryView query={stock} heights={FIRST}>
      {(data) => <Columns stock={data} place={place} query={query} view={view} checked={checked} />}
    </QueryView>
  )
}

function Columns({ stock, place, query, view, checked }: Props & { stock: Stock }) {
  const trades = useQuery(
    read('trades', { params: place, query: { withOldTrade: flagText(view.withOldTrade), ...query } }),
  )
  return (
    <div className={css['columns']}>
      <div className={css['actions']}>
        <ActionPanels stock={stock} />
      </div>
      <div className={css['facts']}>
        <StockFacts stock={stock} place={place} withSavedGain={view.withSavedGain} checked={checked} />
      </div>
      <div className={css['picture']}>
        <Chart stock={stock} trades={trades.data ?? NO_TRADES} simulPrice={query.simulPrice} />
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
