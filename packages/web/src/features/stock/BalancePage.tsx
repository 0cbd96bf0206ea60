import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/read.ts'
import { Chips } from '../../components/Chips.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome } from '../../viewer/viewer.ts'
import { useFlags, flagText } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { BalanceSummary } from './BalanceSummary.tsx'
import { detailItem, savedGainItem, viewChips } from './menuItems.ts'
import { StockList } from './StockList.tsx'

export function BalancePage() {
  const userId = usePathUser()
  const home = useHome()
  const [view, setView] = useFlags({ withSavedGain: true, showDetail: false })
  const query = useQuery(
    read('balance', { params: { userId }, query: { withSavedGain: flagText(view.withSavedGain) } }),
  )
  return (
    <Page
      title="Balance"
      name="잔고"
      homeHref={home}
      menu={[savedGainItem(view, setView), detailItem(view, setView)]}
      wide
    >
      <QueryView query={query} shape="summary" rows={7}>
        {(balance) => (
          <>
            <BalanceSummary balance={balance} withSavedGain={view.withSavedGain} />
            <Chips groups={[viewChips(['withSavedGain', 'showDetail'], view, setView)]} />
            {balance.list.length === 0 ? (
              <Empty title="보유한 종목이 없습니다">
                <p>
                  지켜보는 종목은 <Link href={`/${userId}/stock`}>종목 화면</Link>에 있습니다.
                </p>
              </Empty>
            ) : (
              <StockList stocks={balance.list} {...view} />
            )}
          </>
        )}
      </QueryView>
    </Page>
  )
}
