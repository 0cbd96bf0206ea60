import css from './StockGrid.module.css'
import { useStockCards, type StockListProps } from './useStockCards.tsx'

/** All cards at once, for pages with several short lists one below the other. */
export function StockGrid({ stocks, ...view }: StockListProps) {
  const { card, dialog } = useStockCards(view)
  return (
    <>
      <ul className={css['grid']}>
        {stocks.map((stock) => (
          <li key={stock.code}>{card(stock)}</li>
        ))}
      </ul>
      {dialog}
    </>
  )
}
