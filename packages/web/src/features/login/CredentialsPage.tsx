import type { Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { useNow } from '../../clock/now.ts'
import { Page } from '../../components/Page.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { SecretField } from '../../components/SecretField.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { usePathUser } from '../../url/user.ts'
import { useHome, useOthersPage } from '../../viewer/viewer.ts'
import { BrokerKeyFields } from './BrokerKeyFields.tsx'
import { isOldKey, keyDays } from './keyAge.ts'
import { BROKER_LABELS, useForm } from './useForm.ts'

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
              {others ? <p>증권사 정보는 계좌 주인만 바꿀 수 있습니다.</p> : <ChangeForm stored={stored} />}
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

const EMPTY = { appKey: '', appSecret: '', htsId: '', password: '' }

function ChangeForm({ stored }: { stored: Stored }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const form = useForm(EMPTY)
  const { texts, field, fill, check, refuse } = form
  const { password, ...typed } = texts
  const change = async () => {
    const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text.trim() !== ''))
    if (Object.keys(given).length === 0) return ask.alert('바꿀 것을 하나 이상 넣어 주세요.')
    const body = { password, ...given }
    const reply = await send('changeCredentials', { params: { userId }, body }, ({ code, message }) => {
      const rest = code === 'INVALID' ? refuse(message, LABELS) : message
      if (rest !== '') void ask.alert(rest)
    })
    if (!reply) return null
    fill(EMPTY)
    await client.invalidateQueries()
    return ask.alert(reply.connected ? '증권사 정보를 바꿨습니다.' : '증권사 정보를 저장했습니다.', noteOf(reply))
  }
  return (
    <SubmitForm action="확인하고 바꾸기" check={() => check(['password'])} onSubmit={change}>
      <p>바꿀 것만 넣어 주세요. 증권사에 확인한 뒤 저장하고 새로 연결합니다. 계좌번호는 바꿀 수 없습니다.</p>
      <BrokerKeyFields form={form} stored={stored ?? {}} />
      <SecretField label="지금 비밀번호" autoComplete="current-password" {...field('password')} />
    </SubmitForm>
  )
}

const LABELS = { ...BROKER_LABELS, 비밀번호: 'password' } as const

const noteOf = ({ message, htsIdChecked }: Reply<'changeCredentials'>): string =>
  htsIdChecked ? message : `${message} HTS ID는 증권사가 제때 답하지 않아 확인하지 못했습니다.`
