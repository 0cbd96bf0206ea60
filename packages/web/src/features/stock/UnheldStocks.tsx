import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { CardButton } from '../../components/Card.tsx'
import { Signed } from '../../components/Signed.tsx'
import { won } from '../../format/won.ts'
import { dayChange } from './CardFigures.tsx'
import { nextBuyText } from './distance.ts'
import css from './UnheldStocks.module.css'
import type { StockActions } from './useStockActions.tsx'

/** Of a stock that is not held, and of which there is nothing to say, one line is enough. */
export const isCollapsed = ({ remainCount, expected, due, blocked, frozen, stop, statuses }: Stock): boolean =>
  remainCount === 0 &&
  expected === null &&
  due === null &&
  blocked === null &&
  frozen === null &&
  stop === 'active' &&
  statuses.length === 0

interface Props {
  stocks: readonly Stock[]
  open: StockActions['open']
}

/** One line each in a common card. */
export const UnheldStocks = memo(function UnheldStocks({ stocks, open }: Props) {
  return (
    <section className={css['card']} aria-label="들고 있지 않은 종목">
      <h2>
        들고 있지 않은 종목 <small>{stocks.length}</small>
      </h2>
      {stocks.map((stock) => (
        <Row key={stock.code} stock={stock} onOpen={open} />
      ))}
    </section>
  )
})

const Row = memo(function Row({ stock, onOpen }: { stock: Stock; onOpen: (stock: Stock) => void }) {
  const { name, price } = stock
  return (
    <article className={css['row']} aria-label={name}>
      <p>
        <CardButton className={css['name']} onClick={() => onOpen(stock)}>
          {name}
        </CardButton>
        <b>{won(price)}</b>
      </p>
      <p>
        <span>다음 매수 {nextBuyText(stock)}</span>
        <Signed value={dayChange(stock)} unit="percent" />
      </p>
    </article>
  )
})
