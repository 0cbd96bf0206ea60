import type { Stock } from '@digger/contract'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { StockCard } from './StockCard.tsx'
import css from './StockList.module.css'
import { useStockActions } from './useStockActions.tsx'

interface Props {
  stocks: readonly Stock[]
  withSavedGain: boolean
  showDetail: boolean
}

/** Narrowest column of cards, px. */
const COLUMN = 340
const GAP = 10

/** What stands above the cards is on the screen first; they follow at once, without holding it up. */
export function StockList(props: Props) {
  const isLater = useDeferredValue(true, false)
  return isLater && <Cards {...props} />
}

/** Cards in rows of as many as fit; only rows near the screen exist. */
function Cards({ stocks, withSavedGain, showDetail }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [{ columns, top }, setPlace] = useState({ columns: 1, top: 0 })
  const { open, toggle, dialog } = useStockActions()
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return undefined
    // Its first word comes with the first layout, before anything is seen: asking earlier would lay out twice.
    const observer = new ResizeObserver(() => {
      const fitting = Math.floor((element.clientWidth + GAP) / (COLUMN + GAP))
      const now = { columns: Math.min(3, Math.max(1, fitting)), top: element.offsetTop }
      flushSync(() => setPlace((old) => (old.columns === now.columns && old.top === now.top ? old : now)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const estimateSize = () => (showDetail ? 222 : 186)
  const virtual = useWindowVirtualizer({
    count: Math.ceil(stocks.length / columns),
    gap: GAP,
    overscan: 4,
    scrollMargin: top,
    estimateSize,
    // Heights are told after each layout; a row that was just drawn is not asked for its own.
    measureElement: (_row, entry) => entry?.borderBoxSize[0]?.blockSize ?? estimateSize(),
    // By the width too: rows of other cards have other heights.
    getItemKey: (row) => `${columns} ${stocks[row * columns]?.code ?? row}`,
  })
  const rows = virtual.getVirtualItems()
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1]
  return (
    <>
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
