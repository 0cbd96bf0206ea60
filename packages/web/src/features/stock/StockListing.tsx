import { lazy, memo, Suspense, useDeferredValue } from 'react'
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
  const ordered = inOrder(stocks, text('order'))
  const meant = search === '' ? ordered : ordered.filter((stock) => isMeant(stock, search))
  const isTable = useWide() && text('table') === 'true' && !view.showDetail
  const rows = view.showDetail ? [] : meant.filter(isCollapsed)
  const cards = rows.length === 0 ? meant : meant.filter((stock) => !isCollapsed(stock))
  // They are rendered right after what stands above them, which need not wait for them; together, or cards would push rows down.
  const isLater = useDeferredValue(true, false)
  return (
    <>
      <Search />
      {meant.length === 0 && (
        <Empty title={`‘${search}’에 맞는 종목이 없습니다`}>
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
              {cards.length > 0 && <StockList stocks={cards} actions={actions} {...view} />}
              {rows.length > 0 && <UnheldStocks stocks={rows} open={actions.open} />}
            </>
          )}
    </>
  )
}

/** Not drawn anew when prices come. */
const Search = memo(function Search() {
  const [search, setSearch] = useTypedText('search')
  return <SearchField label="종목 찾기" placeholder="이름, 초성(ㅅㅅㅈㅈ), 코드" value={search} onChange={setSearch} />
})
