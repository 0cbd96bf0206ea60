import type { Reply } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/read.ts'
import { Chips, switches } from '../../components/Chips.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { gainOf } from '../../format/gain.ts'
import { won } from '../../format/won.ts'
import { useHome } from '../../viewer/viewer.ts'
import { useFlags, flagText } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { detailChip, detailItem, savedGainChip, savedGainItem } from './menuItems.ts'
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
      <QueryView query={query}>
        {(balance) => (
          <>
            <Summary balance={balance} withSavedGain={view.withSavedGain} />
            <Chips groups={[switches('보기', [savedGainChip(view, setView), detailChip(view, setView)])]} />
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

function Summary({ balance, withSavedGain }: { balance: Reply<'balance'>; withSavedGain: boolean }) {
  const { depositAmount, stockBuyAmount, list } = balance
  const gains = list.map((stock) => gainOf(stock))
  // One stock without a price makes the sum unknown; a sum that leaves it out would be wrong.
  const gain = gains.every((value) => value !== null) ? gains.reduce((sum, value) => sum + value, 0) : null
  const saved = list.reduce((sum, { accGainAmount }) => sum + accGainAmount, 0)
  return (
    <Panel>
      <Facts
        lead
        facts={[
          ['총자산', won(depositAmount === null ? null : depositAmount + stockBuyAmount)],
          ['예수금', won(depositAmount)],
          ['주식 매입금액', won(stockBuyAmount)],
          ['평가 손익', <Signed value={gain} key="gain" mark />],
          ...(withSavedGain ? ([['누적 손익', <Signed value={saved} key="saved" />]] as const) : []),
        ]}
      />
    </Panel>
  )
}
