import type { Reply } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { useNow } from '../../clock/now.ts'
import { Page } from '../../components/Page.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { usePathUser } from '../../url/user.ts'
import { useHome, useOthersPage } from '../../viewer/viewer.ts'
import { ChangeCredentials } from './ChangeCredentials.tsx'
import { isOldKey, keyDays } from './keyAge.ts'

type Stored = Reply<'credentials'>

export function CredentialsPage() {
  const userId = usePathUser()
  const home = useHome()
  const others = useOthersPage()
  const query = useQuery(read('credentials', { params: { userId } }))
  return (
    <Page title="Credentials" name="증권사 정보" homeHref={home}>
      <QueryView query={query}>
        {(stored) => (
          <>
            <Panel label="지금 저장된 정보">{stored === null ? <p>{CLOSED}</p> : <Present stored={stored} />}</Panel>
            <Panel label="바꾸기">
              {others ? <p>증권사 정보는 계좌 주인만 바꿀 수 있습니다.</p> : <ChangeCredentials stored={stored} />}
            </Panel>
          </>
        )}
      </QueryView>
    </Page>
  )
}

const CLOSED = '사용자 키가 닫혀 있어 지금 값을 보여 드릴 수 없습니다.'

function Present({ stored }: { stored: NonNullable<Stored> }) {
  const { storedAt, accountNumber, ...values } = stored
  const days = useNow((now) => keyDays(storedAt, now))
  return (
    <>
      <h2>지금 저장된 정보</h2>
      <Facts
        facts={[
          ['appKey', values.appKey],
          ['appSecret', values.appSecret],
          ['HTS ID', values.htsId],
          ['계좌번호', accountNumber],
          ['저장한 지', `${days}일`],
        ]}
      />
      {isOldKey(days) && (
        <p role="alert">키는 1년이 지나면 쓸 수 없습니다. KIS Developers에서 새로 받아 바꿔 주세요.</p>
      )}
    </>
  )
}
