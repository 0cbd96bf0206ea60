import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import css from './StockList.module.css'
import { cardOf, type ListedStocks } from './useStockCards.tsx'

/** Narrowest column of cards, and the space between two, px. */
const COLUMN = 340
const GAP = 10
const MAX_COLUMNS = 3
/** Height of a card before it is measured, px. */
const CARD_HEIGHT = 260
const DETAILED_CARD_HEIGHT = 380

/** As many columns as fit; only rows near the screen exist. */
export const StockList = memo(function StockList({ stocks, actions, ...view }: ListedStocks) {
  const list = useRef<HTMLUListElement>(null)
  const { columns, top } = usePlace(list)
  const card = cardOf(view, actions)
  const cardHeight = view.showDetail ? DETAILED_CARD_HEIGHT : CARD_HEIGHT
  const codes = stocks.map(({ code }) => code).join(' ')
  // Another function has all rows measured anew: only other stocks are worth that. With the number of columns, as rows of other cards have other heights.
  const keyOf = useMemo(() => {
    const codeOf = codes.split(' ')
    return (row: number) => `${columns} ${codeOf[row * columns] ?? row}`
  }, [codes, columns])
  const virtual = useWindowVirtualizer({
    count: Math.ceil(stocks.length / columns),
    gap: GAP,
    overscan: 3,
    scrollMargin: top,
    estimateSize: () => cardHeight,
    // The observer reports heights after each layout; to ask a row that was just drawn would cause one more.
    measureElement: (_row, entry) => entry?.borderBoxSize[0]?.blockSize ?? cardHeight,
    getItemKey: keyOf,
  })
  const rows = virtual.getVirtualItems()
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1]
  return (
    <ul
      ref={list}
      className={css['list']}
      style={{
        height: virtual.getTotalSize(),
        paddingTop: (rows[0]?.start ?? top) - top,
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
      }}
    >
      {stocks.slice(first * columns, (last + 1) * columns).map((stock, at) => (
        <li
          key={stock.code}
          // The first card of a row is as high as the row.
          {...(at % columns === 0 && { ref: virtual.measureElement, 'data-index': first + at / columns })}
          aria-setsize={stocks.length}
          aria-posinset={first * columns + at + 1}
        >
          {card(stock)}
        </li>
      ))}
    </ul>
  )
})

interface Place {
  columns: number
  /** Distance of the list from the top of the page, px. */
  top: number
}

/** Where the list stands, and how many columns fit; follows its size. */
function usePlace(list: RefObject<HTMLUListElement | null>): Place {
  const [place, setPlace] = useState<Place>(() => ({ columns: columnsIn(widthInside(innerWidth)), top: 0 }))
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return undefined
    // Its first report comes with the first layout, before anything is seen: measuring earlier would lay out twice.
    const observer = new ResizeObserver(() => {
      const now = { columns: columnsIn(element.clientWidth), top: element.offsetTop }
      flushSync(() => setPlace((old) => (old.columns === now.columns && old.top === now.top ? old : now)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
  return place
}

/** Where the rail stands beside the page, how wide a page becomes, and the least of what is left free at both sides, px. */
const RAIL_FROM = 1280
const RAIL = 224
const MAX_PAGE = 1232
const SIDES = 48

/** About as wide as a list will be, px: a first drawing with other columns would be thrown away, or even seen. */
export const widthInside = (windowWidth: number): number =>
  Math.min(MAX_PAGE, windowWidth - (windowWidth < RAIL_FROM ? 0 : RAIL)) - SIDES

/** Columns that fit into a width, px: at least one, however narrow. */
export const columnsIn = (width: number): number =>
  Math.min(MAX_COLUMNS, Math.max(1, Math.floor((width + GAP) / (COLUMN + GAP))))
