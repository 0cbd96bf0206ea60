import { lazy, Suspense, useDeferredValue, useMemo } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty, Loading } from '../../components/QueryView.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useWide } from '../../components/useWide.ts'
import { useTexts, useTypedText } from '../../url/query.ts'
import { isMeant } from './search.ts'
import { StockList } from './StockList.tsx'
import { inOrder } from './stockOrder.ts'
import { isCollapsed, UnheldStocks } from './UnheldStocks.tsx'
import type { ListedStocks } from './useStockCards.tsx'

/** Only wide windows have it. */
const StockTable = lazy(() => import('./StockTable.tsx').then((m) => ({ default: m.StockTable })))

/** Stocks as the address asks for them: those that are meant, in its order; what is not held in one common card. */
export function StockListing({ stocks, actions, ...view }: ListedStocks) {
  const [text] = useTexts()
  const [search, setSearch] = useTypedText('search')
  // What was pressed or typed is seen at once, the list that follows from it a moment later.
  const wanted = useDeferredValue(search)
  const order = useDeferredValue(text('order'))
  const showDetail = useDeferredValue(view.showDetail)
  const meant = useMemo(() => inOrder(stocks, order).filter((stock) => isMeant(stock, wanted)), [stocks, order, wanted])
  const isTable = useWide() && text('table') === 'true' && !showDetail
  const [cards, rows] = useMemo(() => {
    const rows = showDetail ? [] : meant.filter(isCollapsed)
    return [rows.length === 0 ? meant : meant.filter((stock) => !isCollapsed(stock)), rows]
  }, [meant, showDetail])
  // They are rendered right after what stands above them, which need not wait for them; together, or cards would push rows down.
  const isLater = useDeferredValue(true, false)
  return (
    <>
      <SearchField label="종목 찾기" placeholder="이름, 초성(ㅅㅅㅈㅈ), 코드" value={search} onChange={setSearch} />
      {meant.length === 0 && (
        <Empty title={`‘${wanted}’에 맞는 종목이 없습니다`}>
          <Button onClick={() => setSearch('')}>모두 보기</Button>
        </Empty>
      )}
      {isTable
        ? meant.length > 0 && (
            <Suspense fallback={<Loading rows={1} />}>
              <StockTable stocks={meant} withSavedGain={view.withSavedGain} open={actions.open} />
            </Suspense>
          )
        : isLater && (
            <>
              {cards.length > 0 && (
                <StockList
                  stocks={cards}
                  actions={actions}
                  withSavedGain={view.withSavedGain}
                  showDetail={showDetail}
                />
              )}
              {rows.length > 0 && <UnheldStocks stocks={rows} open={actions.open} />}
            </>
          )}
    </>
  )
}
