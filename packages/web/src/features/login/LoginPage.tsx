import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { asProblem } from '../../api/problem.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { CheckField } from '../../components/Field.tsx'
import { SecretField } from '../../components/SecretField.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { afterLogin, useArrival } from '../../url/arrival.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { EmailField } from './EmailField.tsx'
import { byPasskey, byPassword } from './logIn.ts'
import css from './LoginPage.module.css'
import { wasTicked } from './typed.ts'
import { useForm } from './useForm.ts'

export function LoginPage() {
  const arrival = useArrival()
  const { joined, next } = arrival
  const { texts, field, check } = useForm({ email: joined ?? '', password: '' })
  const [forceKisLogin, setForce] = useState(() => wasTicked('forceKisLogin'))
  const [, navigate] = useLocation()

  const enter = async (come: () => ReturnType<typeof byPassword>) => {
    try {
      const reply = await come()
      if (reply === null) return
      // Before the next page: dialogs are dismissed when their page is left.
      if (reply.temporaryPassword) await ask.alert('비밀번호를 바꿔 주세요', reply.message)
      navigate(reply.temporaryPassword ? '/user/password' : afterLogin(arrival, reply))
    } catch (error) {
      // "Not logged in" is shown here too: this is the page it would lead to.
      void ask.alert(asProblem(error).message)
    }
  }

  return (
    <AuthFrame
      name="로그인"
      lead={next === undefined ? '정해 둔 조건대로 사고팝니다.' : '로그인하면 보던 화면으로 돌아갑니다.'}
    >
      {joined !== undefined && (
        <output className={css['joined']}>
          <b>가입했습니다.</b> 이제 로그인해 주세요.
        </output>
      )}
      <SubmitForm action="LOGIN" check={check} onSubmit={() => enter(() => byPassword({ ...texts, forceKisLogin }))}>
        <EmailField {...field('email')} />
        <SecretField label="비밀번호" autoComplete="current-password" {...field('password')} />
      </SubmitForm>
      <Button wide onClick={() => void enter(() => byPasskey(forceKisLogin))}>
        패스키로 로그인
      </Button>
      <details className={css['more']} open>
        <summary>시세가 멈췄을 때</summary>
        <CheckField
          name="forceKisLogin"
          label="force kis login"
          checked={forceKisLogin}
          onChange={setForce}
          help="증권사에 다시 로그인합니다. 보통은 켜지 않습니다."
        />
      </details>
      <p>
        처음이신가요? <Link href="/join">가입하기</Link>
      </p>
    </AuthFrame>
  )
}
