import type { Stock } from '@digger/contract'
import { memo, type ReactNode } from 'react'
import { Signed } from '../../components/Signed.tsx'
import { showDay } from '../../format/day.ts'
import { number, won } from '../../format/won.ts'
import { announcedName } from './announced.ts'
import { isSameBesidePrice } from './besidePrice.ts'
import css from './StockCard.module.css'
import { averagePriceOf, averageTargetOf } from './target.ts'

/** What was paid and brought; no price of now is among it. */
export const Holding = memo(function Holding({ stock, withSavedGain }: { stock: Stock; withSavedGain: boolean }) {
  return (
    <dl className={css['figures']}>
      <Figure name="보유">{won(stock.remainAmount)}</Figure>
      <Figure name="평균">{won(averagePriceOf(stock))}</Figure>
      {stock.autoSellWithAvgPrice && <Figure name="목표가">{won(averageTargetOf(stock, stock))}</Figure>}
      {withSavedGain && (
        <Figure name="누적">
          <Signed value={stock.accGainAmount} />
        </Figure>
      )}
      {stock.kept > 0 && <Figure name="직접 관리">{number(stock.kept)}주</Figure>}
      {stock.expected && (
        <Figure name="받을 주식">{`${number(stock.expected.count)}주 (${won(stock.expected.amount)})`}</Figure>
      )}
      {stock.announced && (
        <Figure name="예정">{`${showDay(stock.announced.day)} ${announcedName(stock.announced)}`}</Figure>
      )}
    </dl>
  )
}, isSameBesidePrice)

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
