import type { Stock } from '@digger/contract'

import { useLayoutEffect, useRef, useState } from 'react'
import { useRowsInWindow } from './rows.ts'
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

/** Cards in as many columns as fit; only those near the screen exist. */
export function StockList({ stocks, withSavedGain, showDetail }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [{ columns, top }, setPlace] = useState({ columns: 1, top: 0 })
  const { open, toggle, dialog } = useStockActions()
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const place = () => {
      const fitting = Math.floor((element.clientWidth + GAP) / (COLUMN + GAP))
      setPlace({ columns: Math.min(3, Math.max(1, fitting)), top: element.offsetTop })
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const virtual = useRowsInWindow({
    count: stocks.length,
    lanes: columns,
    gap: GAP,
    overscan: 4,
    scrollMargin: top,
    estimateSize: () => (showDetail ? 204 : 168),
    getItemKey: (index) => stocks[index]?.code ?? index,
  })
  return (
    <>
      <ul ref={list} className={css['list']} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, lane }) => {
          const stock = stocks[index]
          return (
            stock && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={stocks.length}
                aria-posinset={index + 1}
                style={{
                  width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
                  left: `calc((100% + ${GAP}px) / ${columns} * ${lane})`,
                  transform: `translateY(${start - top}px)`,
                }}
              >
                <StockCard
                  stock={stock}
                  withSavedGain={withSavedGain}
                  showDetail={showDetail}
                  onOpen={open}
                  onToggle={toggle}
                />
              </li>
            )
          )
        })}
      </ul>
      {dialog}
    </>
  )
}
