import type { Stock } from '@digger/contract'
import type { ReactNode } from 'react'
import { StockCard } from './StockCard.tsx'
import { useStockActions } from './useStockActions.tsx'

/** What is shown of each stock of a list. */
export interface StockListProps {
  stocks: readonly Stock[]
  withSavedGain: boolean
  showDetail: boolean
}

interface StockCards {
  card: (stock: Stock) => ReactNode
  /** Stands beside the list: the edit dialog while it is open. */
  dialog: ReactNode
}

/** The cards of a list, each with its menu and switches. */
export function useStockCards({ withSavedGain, showDetail }: Omit<StockListProps, 'stocks'>): StockCards {
  const { open, toggle, stop, dialog } = useStockActions()
  const card = (stock: Stock) => (
    <StockCard
      stock={stock}
      withSavedGain={withSavedGain}
      showDetail={showDetail}
      onOpen={open}
      onToggle={toggle}
      onStop={stop}
    />
  )
  return { card, dialog }
}
