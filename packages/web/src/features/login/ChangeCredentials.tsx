import type { Reply } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { SecretField } from '../../components/SecretField.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { usePathUser } from '../../url/user.ts'
import { BrokerKeyFields } from './BrokerKeyFields.tsx'
import { BROKER_LABELS, useForm } from './useForm.ts'

const EMPTY = { appKey: '', appSecret: '', htsId: '', password: '' }

/** What is left empty stays as it is. */
export function ChangeCredentials({ stored }: { stored: Reply<'credentials'> }) {
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
      <BrokerKeyFields form={form} stored={stored} />
      <SecretField label="지금 비밀번호" autoComplete="current-password" {...field('password')} />
    </SubmitForm>
  )
}

const LABELS = { ...BROKER_LABELS, 비밀번호: 'password' } as const

const noteOf = ({ message, htsIdChecked }: Reply<'changeCredentials'>): string =>
  htsIdChecked ? message : `${message} HTS ID는 증권사가 제때 답하지 않아 확인하지 못했습니다.`
