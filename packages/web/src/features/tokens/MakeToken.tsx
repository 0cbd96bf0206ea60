import type { TokenScope } from '@digger/contract'
import { useState } from 'react'
import { send } from '../../api/send.ts'
import { Field } from '../../components/Field.tsx'
import { Segments } from '../../components/Segments.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { usePathUser } from '../../url/user.ts'
import { usePutTokens } from './tokenQueries.ts'
import { LIFETIMES, type Lifetime, MAX_NAME, SCOPE_HELP, SCOPES, wrongName } from './tokenText.ts'
import css from './Tokens.module.css'

const DAYS = { '7': 7, '30': 30, '90': 90, '365': 365 } as const satisfies Record<Lifetime, number>

/** Name, scope and lifetime of a new token. What was typed stays until it is made. */
export function MakeToken({ onMade }: { onMade: (secret: string) => void }) {
  const userId = usePathUser()
  const put = usePutTokens()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [error, setError] = useState<string>()
  const check = () => {
    const wrong = wrongName(name)
    setError(wrong)
    return wrong === undefined
  }
  const make = async () => {
    const body = { name: name.trim(), scope, days: DAYS[lifetime] }
    const made = await send('makeApiToken', { params: { userId }, body })
    if (made === null) return
    put((tokens) => [made.token, ...tokens])
    onMade(made.secret)
  }
  return (
    <SubmitForm action="만들기" check={check} onSubmit={make}>
      <Field
        label="이름"
        value={name}
        onChange={setName}
        error={error}
        autoComplete="off"
        maxLength={MAX_NAME}
        placeholder="예: 거실 화면"
        help="활동 기록에 이 이름이 남습니다."
      />
      <div className={css['choice']}>
        <span aria-hidden="true">범위</span>
        <Segments label="범위" options={SCOPES} value={scope} onChange={setScope} />
        <p className={css['note']}>{SCOPE_HELP[scope]}</p>
      </div>
      <div className={css['choice']}>
        <span aria-hidden="true">기간</span>
        <Segments label="기간" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      </div>
    </SubmitForm>
  )
}
