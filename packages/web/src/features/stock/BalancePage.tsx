import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Chips } from '../../components/Chips.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome } from '../../viewer/viewer.ts'
import { useFlags, flagText } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { BalanceSummary } from './BalanceSummary.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { detailItem, savedGainItem, viewChips } from './menuItems.ts'
import { StockListing } from './StockListing.tsx'
import { useListChips } from './useListChips.ts'

export function BalancePage() {
  const userId = usePathUser()
  const home = useHome()
  const [view, setView] = useFlags({ withSavedGain: true, showDetail: false })
  const chips = useListChips()
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
            <Chips groups={[...chips, viewChips(['withSavedGain', 'showDetail'], view, setView)]} />
            {balance.list.length === 0 ? <FirstSteps /> : <StockListing stocks={balance.list} {...view} />}
          </>
        )}
      </QueryView>
    </Page>
  )
}
