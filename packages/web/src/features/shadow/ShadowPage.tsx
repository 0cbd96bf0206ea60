import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Note } from '../../components/Note.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { usePathUser } from '../../url/user.ts'
import { useHome } from '../../viewer/viewer.ts'
import css from './Shadow.module.css'
import { ShadowOrders } from './ShadowOrders.tsx'
import { ShadowStocks } from './ShadowStocks.tsx'
import { RULE_TEXTS } from './shadowText.ts'

/** What would have become of orders follows prices, of which no event tells, ms. */
const REFETCH_INTERVAL_MS = 5_000

/** What is only rehearsed: nothing of it is sent, and what would have become of it. */
export function ShadowPage() {
  const userId = usePathUser()
  const home = useHome()
  const query = useQuery({ ...read('shadow', { params: { userId } }), refetchInterval: REFETCH_INTERVAL_MS })
  return (
    <Page title="Shadow" name="그림자" homeHref={home}>
      <QueryView
        query={query}
        heights={[170, 320]}
        empty={{
          when: ({ stocks }) => stocks.length === 0,
          show: (
            <Empty title="그림자로 둘 종목이 없습니다">
              <p>종목을 추가하면 여기서 주문을 보내지 않고 연습할 수 있습니다.</p>
            </Empty>
          ),
        }}
      >
        {(shadow) => (
          <>
            {shadow.everything && (
              <Note tone="late" icon="eye" title="서버 전체가 그림자입니다">
                이 서버는 어느 계좌의 주문도 보내지 않습니다. 실제로 거래하려면 운영자가 SHADOW를 끄고 다시 켜야 합니다.
              </Note>
            )}
            {shadow.failed && (
              <Note tone="late" icon="warn" title="연습 장부를 열지 못했습니다.">
                저절로 다시 시도합니다. 계속되면 관리자에게 알려 주세요. 원인은 관리자의 기록에 있습니다.
              </Note>
            )}
            <Panel>
              <h2>그림자란</h2>
              <p className={css['note']}>
                가격, 현금, 판단은 모두 진짜이고 주문만 보내지 않습니다. 연습으로 사고판 것은 실제 잔고, 손익, 한도에
                들지 않습니다. {RULE_TEXTS[shadow.rule]}
              </p>
            </Panel>
            <ShadowStocks shadow={shadow} />
            <ShadowOrders />
          </>
        )}
      </QueryView>
    </Page>
  )
}
