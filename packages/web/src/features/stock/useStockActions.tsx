import type { Stock } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { ask } from '../../ask/ask.ts'
import { useViewer } from '../../viewer/viewer.ts'
import type { BadgeName } from './savingBadges.ts'
import { useStop } from '../../stops/useStop.ts'
import { askStockStop } from './StockStop.tsx'
import { stockMenu } from './stockMenu.ts'
import { switchSetting, switchWatch } from './switchBadge.ts'

/** Administrators only. */
const EditDialog = lazy(() => import('./EditDialog.tsx').then((m) => ({ default: m.EditDialog })))

export interface StockActions {
  /** Opens the card's menu. */
  open: (stock: Stock) => void
  /** Switches a badge; administrators only. */
  toggle: ((stock: Stock, badge: BadgeName, on: boolean) => void) | undefined
  /** Asks how one stock is to stand still; not on pages about everybody. */
  stop: ((stock: Stock) => void) | undefined
  /** The edit dialog while it is open. */
  dialog: ReactNode
}

/** What one can do with a card. The functions stay the same ones, so that cards need no redraw. */
export function useStockActions(): StockActions {
  const [edited, setEdited] = useState<Stock | null>(null)
  const { admin } = useViewer()
  const [path, navigate] = useLocation()
  const isOfAll = path.split('/')[2] === 'admin'
  const client = useQueryClient()

  const open = useCallback(
    (stock: Stock) => {
      const refresh = ({ userId }: Stock, isDeleted: boolean) =>
        void client.invalidateQueries({
          predicate: ({ queryKey: [name, params] }) =>
            // No event: other users' accounts on a page about all, and a stock that is gone.
            (name === 'adminStocks' && params['userId'] === userId) ||
            (isDeleted && (name === 'stocks' || name === 'stock')),
        })
      void ask.sheet(
        stock.name,
        stockMenu(stock, { admin, path: location.pathname, navigate, edit: setEdited, refresh }),
      )
    },
    [admin, client, navigate],
  )
  const toggle = useCallback(
    (stock: Stock, badge: BadgeName, on: boolean) => {
      void (badge === 'priceSubscribed' ? switchWatch(client, stock, on) : switchSetting(client, stock, badge, on))
    },
    [client],
  )
  const { setStop } = useStop()
  const latest = useRef(setStop)
  useEffect(() => {
    latest.current = setStop
  })
  const stop = useCallback((stock: Stock) => askStockStop(stock, (place, to) => latest.current(place, to)), [])
  return {
    open,
    stop: isOfAll ? undefined : stop,
    toggle: admin ? toggle : undefined,
    dialog: edited && (
      <Suspense>
        <EditDialog stock={edited} onClose={() => setEdited(null)} />
      </Suspense>
    ),
  }
}
