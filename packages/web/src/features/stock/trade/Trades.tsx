import type { Stock, Trade } from '@digger/contract'
import { useCallback, useEffect, useRef } from 'react'
import { ask } from '../../../ask/ask.ts'
import { Empty } from '../../../components/QueryView.tsx'
import { number, won } from '../../../format/won.ts'
import { usePathUser } from '../../../url/user.ts'
import { tradeMenu } from './tradeActions.ts'
import { releaseTrades } from './releaseTrades.ts'
import { TakenOverNote } from './TakenOver.tsx'
import { TradeBox } from './TradeBox.tsx'
import css from './TradePage.module.css'

/** The trades of one stock; a press opens what can be done to one. */
export function Trades({ trades, stock }: { trades: readonly Trade[]; stock: Stock }) {
  const userId = usePathUser()
  const { code } = stock
  const shown = useRef(stock)
  useEffect(() => void (shown.current = stock), [stock])
  // The same function for every price, so that boxes need no redraw.
  const open = useCallback(
    (trade: Trade) => {
      const title = `${shown.current.name} ${number(trade.buyCount)}주 (매수가 ${won(trade.buyPrice)})`
      void ask.sheet(title, tradeMenu({ userId, code }, shown.current, trade))
    },
    [userId, code],
  )
  const release = useCallback((ids: readonly number[]) => void releaseTrades({ userId, code }, ids), [userId, code])
  return (
    <section aria-label="매매 목록">
      <h2 className={css['heading']}>매매 {trades.length}건</h2>
      <TakenOverNote trades={trades} onRelease={release} />
      <ul className={css['trades']}>
        {trades.map((trade) => (
          <li key={trade.id}>
            <TradeBox
              trade={trade}
              price={stock.price}
              isEtf={stock.kind === 'etf'}
              onOpen={open}
              onRelease={release}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function NoTrades({ old }: { old: boolean }) {
  return (
    <Empty title={old ? '매매한 적이 없습니다' : '보유 중인 매매가 없습니다'}>
      <p>자동 매수가 켜져 있고 가격이 다음 매수가에 닿으면 여기에 쌓입니다.</p>
    </Empty>
  )
}
