import type { Trade } from '@digger/contract'
import { memo } from 'react'
import { Card, CardButton } from '../../../components/Card.tsx'
import { Signed } from '../../../components/Signed.tsx'
import { NET, NET_OF_ETF } from '../../../format/net.ts'
import { stamp } from '../../../format/time.ts'
import { number, won } from '../../../format/won.ts'
import { ReleaseLine } from './TakenOver.tsx'
import css from './TradeBox.module.css'
import { figuresOf, isOpen } from './trades.ts'

interface Props {
  trade: Trade
  price: number | null
  isEtf: boolean
  onOpen: (trade: Trade) => void
  onRelease: (ids: readonly number[]) => void
}

/** One trade: bought, and sold or not yet. */
export const TradeBox = memo(function TradeBox({ trade, price, isEtf, onOpen, onRelease }: Props) {
  const { buyCount, buyPrice, buyDateTime, sellDateTime, sellPrice, targetPrice, netGainAmount } = trade
  const { gain, gainRatio } = figuresOf(trade, price)
  const open = isOpen(trade)
  return (
    <Card label={`${stamp(buyDateTime)} 매수`} className={css['box']}>
      <Line letter="B" meaning="매수" at={buyDateTime} count={buyCount} price={buyPrice} />
      {sellDateTime !== null && sellPrice !== null && (
        <Line letter="S" meaning="매도" at={sellDateTime} count={buyCount} price={sellPrice} />
      )}
      <p className={css['gain']}>
        {open ? (
          <CardButton className={css['open']} onClick={() => onOpen(trade)}>
            매도
          </CardButton>
        ) : (
          <span className={css['sold']}>매도 완료</span>
        )}
        <span>
          <Signed value={gain} mark /> (<Signed value={gainRatio} unit="percent" />)
        </span>
      </p>
      {open && targetPrice !== null && (
        <p className={css['note']}>
          목표 {won(targetPrice)} {trade.buying ? '· 매수 중' : trade.sellOrderId !== null && '· 매도 주문 중'}
        </p>
      )}
      {trade.takenOver && <ReleaseLine onRelease={() => onRelease([trade.id])} />}
      {!open && netGainAmount !== null && (
        <p className={css['note']}>
          {isEtf ? NET_OF_ETF : NET} <Signed value={netGainAmount} />
        </p>
      )}
    </Card>
  )
})

interface LineProps {
  letter: 'B' | 'S'
  meaning: string
  at: string
  count: number
  price: number
}

function Line({ letter, meaning, at, count, price }: LineProps) {
  return (
    <p className={css['line']}>
      <abbr data-letter={letter} title={meaning}>
        {letter}
      </abbr>
      <time dateTime={at}>{stamp(at)}</time>
      <span>
        {number(count)}주 × {number(price)}
      </span>
      <b>{won(count * price)}</b>
    </p>
  )
}
