import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { detailItem, savedGainItem, watchItem } from '../../features/stock/menuItems.ts'
import { StockGrid } from '../../features/stock/StockGrid.tsx'
import { useFlags, flagText } from '../../url/query.ts'
import { AdminFrame, Nothing, Topic } from './AdminFrame.tsx'

const DEFAULTS = { withSavedGain: true, showDetail: false, showOnlyWatch: true }

export function AdminStockPage() {
  const [view, setView] = useFlags(DEFAULTS)
  const menu = [watchItem(view, setView), savedGainItem(view, setView), detailItem(view, setView)]
  return (
    <AdminFrame title="Admin Stock" name="모든 사용자의 종목" menu={menu}>
      {({ userId }) => <Stocks userId={userId} view={view} />}
    </AdminFrame>
  )
}

function Stocks({ userId, view }: { userId: string; view: typeof DEFAULTS }) {
  const flags = { withSavedGain: flagText(view.withSavedGain), showOnlyWatch: flagText(view.showOnlyWatch) }
  const query = useQuery(read('adminStocks', { params: { userId }, query: flags }))
  return (
    <Topic query={query}>
      {(stocks) =>
        stocks.length === 0 ? <Nothing>종목이 없습니다.</Nothing> : <StockGrid stocks={stocks} {...view} />
      }
    </Topic>
  )
}
