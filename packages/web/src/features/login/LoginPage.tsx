import { useEffect, useState, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../api/call.ts'
import { asProblem } from '../../api/problem.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { CheckField, Field } from '../../components/Field.tsx'
import { wasTicked } from './typed.ts'
import { Entrance } from './Entrance.tsx'
import { useForm } from './useForm.ts'

export function LoginPage() {
  const { texts, field, check } = useForm({ email: '', password: '' })
  const [forceKisLogin, setForce] = useState(() => wasTicked('forceKisLogin'))
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  useEffect(() => {
    document.title = '로그인 · Digger'
  }, [])

  const login = async () => {
    if (busy || !check()) return
    setBusy(true)
    try {
      const { diggerAdmin, temporaryPassword, message } = await call('login', { body: { ...texts, forceKisLogin } })
      // Before the next page: questions end with the page they were asked on.
      if (temporaryPassword) await ask.alert('비밀번호를 바꿔 주세요', message)
      navigate(temporaryPassword ? '/user/password' : diggerAdmin ? '/user/admin/user' : '/')
    } catch (error) {
      // Also a "not logged in" is told here: this is the page it would lead to.
      void ask.alert(asProblem(error).message)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void login()
  }

  return (
    <Entrance name="로그인" lead="정해 둔 조건대로 사고팝니다.">
      <form method="dialog" onSubmit={submit} noValidate>
        <Field
          label="이메일"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          {...field('email')}
        />
        <Field label="비밀번호" type="password" autoComplete="current-password" {...field('password')} />
        <CheckField
          name="forceKisLogin"
          label="force kis login"
          checked={forceKisLogin}
          onChange={setForce}
          help="증권사에 다시 로그인합니다. 시세가 멈췄을 때만 켜세요."
        />
        <Button look="main" type="submit" wide disabled={busy}>
          LOGIN
        </Button>
      </form>
      <p>
        처음이신가요? <Link href="/join">가입하기</Link>
      </p>
    </Entrance>
  )
}
