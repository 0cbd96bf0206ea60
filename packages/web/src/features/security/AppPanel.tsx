import type { Reply } from '@digger/contract'
import { useState } from 'react'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Panel } from '../../components/Panel.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { usePathUser } from '../../url/user.ts'
import { QrPicture } from './QrPicture.tsx'
import { Stamp } from './Stamp.tsx'
import css from './Security.module.css'
import { type FactorsView, showCodes, usePutFactors } from './useFactors.tsx'

type Begun = Reply<'beginTotp'>

/** An app that shows six digits, new ones every half minute. */
export function AppPanel({ factors: { totp } }: { factors: FactorsView }) {
  const userId = usePathUser()
  const put = usePutFactors()
  // Only here, and gone with the page.
  const [begun, setBegun] = useState<Begun | null>(null)
  const begin = async () => setBegun(await send('beginTotp', { params: { userId }, body: {} }))
  const remove = async () => {
    const note = '이 앱의 숫자로는 더 로그인할 수 없습니다.'
    if (!(await ask.confirm('인증 앱을 없앨까요?', { note, yes: '없애기', danger: true }))) return
    const left = await send('removeTotp', { params: { userId } })
    if (left !== null) await put(left)
  }
  return (
    <Panel label="인증 앱">
      <div className={css['panel']}>
        <h2>인증 앱</h2>
        <p className={css['note']}>
          {totp === null
            ? 'Google OTP 같은 앱이 30초마다 보여 주는 여섯 자리 숫자로 확인합니다.'
            : '연결되어 있습니다. '}
          {totp !== null && <Stamp at={totp.createdAt} />}
        </p>
        {totp === null && begun === null && <Button onClick={() => void begin()}>인증 앱 연결</Button>}
        {totp === null && begun !== null && <Connect begun={begun} onDone={() => setBegun(null)} />}
        {totp !== null && <Button onClick={() => void remove()}>인증 앱 없애기</Button>}
      </div>
    </Panel>
  )
}

function Connect({ begun: { secret, uri }, onDone }: { begun: Begun; onDone: () => void }) {
  const userId = usePathUser()
  const put = usePutFactors()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const check = () => {
    const fits = /^\d{3}\s?\d{3}$/.test(code.trim())
    setError(fits ? undefined : '앱에 보이는 여섯 자리 숫자를 넣어 주세요.')
    return fits
  }
  const confirm = async () => {
    const added = await send('confirmTotp', { params: { userId }, body: { totp: code.trim() } }, ({ message }) =>
      setError(message),
    )
    if (added === null) return setCode('')
    if (added.codes !== null) await showCodes(added.codes, true)
    onDone()
    await put(added.factors)
  }
  return (
    <div className={css['connect']}>
      <QrPicture text={uri} label="인증 앱으로 찍을 그림" />
      <p className={css['note']}>
        앱에서 이 그림을 찍거나, 같은 휴대폰이면 <a href={uri}>앱으로 열기</a>를 누르거나, 아래 글자를 넣어 주세요.
      </p>
      <p className={css['secret']}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
      <SubmitForm action="연결" check={check} onSubmit={confirm}>
        <Field
          label="앱에 보이는 숫자"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          value={code}
          error={error}
          onChange={(text) => {
            setCode(text)
            setError(undefined)
          }}
        />
      </SubmitForm>
    </div>
  )
}
