import { useEffect, useState, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Entrance } from './Entrance.tsx'
import { RULE, useForm } from './useForm.ts'

const EMPTY = { email: '', password: '', passwordCheck: '', appKey: '', appSecret: '', accountNumber: '', htsId: '' }

export function JoinPage() {
  const { texts, field, check } = useForm(EMPTY)
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  useEffect(() => {
    document.title = '가입 · Digger'
  }, [])

  const join = async () => {
    if (busy || !check()) return
    const { passwordCheck, ...body } = texts
    if (body.password !== passwordCheck)
      return void ask.alert('check password!', '비밀번호와 비밀번호 확인이 서로 다릅니다.')
    setBusy(true)
    const reply = await send('signUp', { body })
    setBusy(false)
    if (reply) navigate('/login')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void join()
  }

  return (
    <Entrance name="가입" lead="한국투자증권 KIS Developers에서 받은 정보를 넣어 주세요.">
      <form method="dialog" onSubmit={submit} noValidate>
        <Field
          label="이메일"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          {...field('email')}
        />
        <Field label="비밀번호" type="password" autoComplete="new-password" help={RULE} {...field('password')} />
        <Field label="비밀번호 확인" type="password" autoComplete="new-password" {...field('passwordCheck')} />
        <Field
          label="appKey"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          help="36자"
          {...field('appKey')}
        />
        <Field
          label="appSecret"
          type="password"
          autoComplete="off"
          help="180자. 암호화해서 보관하며 다시 보여 주지 않습니다."
          {...field('appSecret')}
        />
        <Field
          label="accountNumber"
          inputMode="numeric"
          autoComplete="off"
          help="계좌번호 8자리, 또는 상품코드를 붙인 10자리"
          {...field('accountNumber')}
        />
        <Field label="HTS ID" autoComplete="off" autoCapitalize="none" spellCheck={false} {...field('htsId')} />
        <Button look="main" type="submit" wide disabled={busy}>
          JOIN
        </Button>
      </form>
      <p>
        이미 가입하셨나요? <Link href="/login">로그인</Link>
      </p>
    </Entrance>
  )
}
