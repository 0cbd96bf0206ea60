import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../api/call.ts'
import { asProblem } from '../../api/problem.ts'
import { ask } from '../../ask/ask.ts'
import { CheckField, Field } from '../../components/Field.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { EmailField } from './EmailField.tsx'
import { wasTicked } from './typed.ts'
import { useForm } from './useForm.ts'

export function LoginPage() {
  const { texts, field, check } = useForm({ email: '', password: '' })
  const [forceKisLogin, setForce] = useState(() => wasTicked('forceKisLogin'))
  const [, navigate] = useLocation()

  const login = async () => {
    try {
      const { diggerAdmin, temporaryPassword, message } = await call('login', { body: { ...texts, forceKisLogin } })
      // Before the next page: dialogs are dismissed when their page is left.
      if (temporaryPassword) await ask.alert('비밀번호를 바꿔 주세요', message)
      navigate(temporaryPassword ? '/user/password' : diggerAdmin ? '/user/admin/user' : '/')
    } catch (error) {
      // "Not logged in" is shown here too: this is the page it would lead to.
      void ask.alert(asProblem(error).message)
    }
  }

  return (
    <AuthFrame name="로그인" lead="정해 둔 조건대로 사고팝니다.">
      <SubmitForm action="LOGIN" check={check} onSubmit={login}>
        <EmailField {...field('email')} />
        <Field label="비밀번호" type="password" autoComplete="current-password" {...field('password')} />
        <CheckField
          name="forceKisLogin"
          label="force kis login"
          checked={forceKisLogin}
          onChange={setForce}
          help="증권사에 다시 로그인합니다. 시세가 멈췄을 때만 켜세요."
        />
      </SubmitForm>
      <p>
        처음이신가요? <Link href="/join">가입하기</Link>
      </p>
    </AuthFrame>
  )
}
