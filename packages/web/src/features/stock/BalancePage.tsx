import { Chips } from '../../components/Chips.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome } from '../../viewer/viewer.ts'
import { useFlags } from '../../url/query.ts'
import { Balance } from './Balance.tsx'
import { detailItem, savedGainItem, viewChips } from './menuItems.ts'
import { useListChips } from './useListChips.ts'
import { useStockActions } from './useStockActions.tsx'

/** What does not follow prices is here, so that each of them draws only what does. */
export function BalancePage() {
  const home = useHome()
  const [view, setView] = useFlags({ withSavedGain: true, showDetail: false })
  const chips = useListChips()
  const actions = useStockActions()
  return (
    <Page
      title="Balance"
      name="잔고"
      homeHref={home}
      menu={[savedGainItem(view, setView), detailItem(view, setView)]}
      wide
    >
      <Balance
        {...view}
        actions={actions}
        chips={<Chips groups={[...chips, viewChips(['withSavedGain', 'showDetail'], view, setView)]} />}
      />
      {actions.dialog}
    </Page>
  )
}
