import type { Stock } from '@digger/contract'
import type { ReactNode } from 'react'
import { StockCard } from './StockCard.tsx'
import { useStockActions, type StockActions } from './useStockActions.tsx'

/** What is shown of each stock of a list. */
export interface StockListProps {
  stocks: readonly Stock[]
  withSavedGain: boolean
  showDetail: boolean
}
/** The page has the actions and their dialog: they do not follow prices. */
export type ListedStocks = StockListProps & { actions: StockActions }
type View = Omit<StockListProps, 'stocks'>

interface StockCards {
  card: (stock: Stock) => ReactNode
  /** Stands beside the list: the edit dialog while it is open. */
  dialog: ReactNode
}

/** The cards of a list, each with its menu and switches. */
export function useStockCards(view: View): StockCards {
  const actions = useStockActions()
  return { card: cardOf(view, actions), dialog: actions.dialog }
}

export const cardOf =
  ({ withSavedGain, showDetail }: View, { open, toggle, stop }: StockActions) =>
  (stock: Stock): ReactNode => (
    <StockCard
      stock={stock}
      withSavedGain={withSavedGain}
      showDetail={showDetail}
      onOpen={open}
      onToggle={toggle}
      onStop={stop}
    />
  )
