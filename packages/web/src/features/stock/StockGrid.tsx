import type { Stock } from '@digger/contract'
import { StockCard } from './StockCard.tsx'
import css from './StockGrid.module.css'
import { useStockActions } from './useStockActions.tsx'

interface Props {
  stocks: readonly Stock[]
  withSavedGain: boolean
  showDetail: boolean
}

/** All cards at once, for pages with several short lists one below the other. */
export function StockGrid({ stocks, withSavedGain, showDetail }: Props) {
  const { open, toggle, dialog } = useStockActions()
  return (
    <>
      <ul className={css['grid']}>
        {stocks.map((stock) => (
          <li key={stock.code}>
            <StockCard
              stock={stock}
              withSavedGain={withSavedGain}
              showDetail={showDetail}
              onOpen={open}
              onToggle={toggle}
            />
          </li>
        ))}
      </ul>
      {dialog}
    </>
  )
}
