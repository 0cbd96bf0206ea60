import { useLocation } from 'wouter'
import { row, type SheetItem } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome, useViewer } from '../../viewer/viewer.ts'
import { useFlags } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { detailItem, savedGainItem, viewChips, watchItem } from './menuItems.ts'
import { Stocks } from './Stocks.tsx'
import { useAddStock } from './useAddStock.ts'
import { useListChips } from './useListChips.ts'
import { useStockActions } from './useStockActions.tsx'

/** What does not follow prices is here, so that each of them draws only what does. */
export function StockListPage() {
  const home = useHome()
  const userId = usePathUser()
  const [, navigate] = useLocation()
  const { mayAdd } = useViewer()
  const [view, setView] = useFlags({ withSavedGain: true, showDetail: false, showOnlyWatch: true })
  const { showOnlyWatch } = view
  const chips = useListChips()
  const actions = useStockActions()
  const add = useAddStock()
  const addItem: SheetItem = { name: '종목 추가', value: 'add', func: () => void add() }
  const menu = [
    watchItem(view, setView),
    savedGainItem(view, setView),
    detailItem(view, setView),
    ...(mayAdd ? [addItem] : []),
    row('지난 시세로 보기', () => navigate(`/${userId}/whatif`)),
  ]
  const empty = (
    <Empty title={showOnlyWatch ? '지켜보는 종목이 없습니다' : '종목이 없습니다'}>
      {showOnlyWatch && <Button onClick={() => setView('showOnlyWatch', false)}>모든 종목 보기</Button>}
      {!showOnlyWatch && !mayAdd && <p>종목은 관리자가 추가합니다.</p>}
      {!showOnlyWatch && mayAdd && <Button onClick={() => void add()}>종목 추가</Button>}
    </Empty>
  )
  return (
    <Page
      title="Stock"
      name={showOnlyWatch ? '지켜보는 종목' : '모든 종목'}
      homeHref={home}
      menu={menu}
      chips={[viewChips(['showOnlyWatch', 'withSavedGain', 'showDetail'], view, setView), ...chips]}
      wide
    >
      <Stocks {...view} actions={actions} empty={empty} />
      {actions.dialog}
    </Page>
  )
}
