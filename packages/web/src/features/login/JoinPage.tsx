import { Link, useLocation } from 'wouter'
import { send } from '../../api/send.ts'
import { Field } from '../../components/Field.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { EmailField } from './EmailField.tsx'
import { isRepeated, PASSWORD_RULE, useForm, type Form } from './useForm.ts'

const EMPTY = { email: '', password: '', passwordCheck: '', appKey: '', appSecret: '', accountNumber: '', htsId: '' }

export function JoinPage() {
  const { texts, field, check } = useForm(EMPTY)
  const [, navigate] = useLocation()
  const { passwordCheck, ...body } = texts
  const checkAll = () =>
    check() && isRepeated(body.password, passwordCheck, '비밀번호와 비밀번호 확인이 서로 다릅니다.')

  const join = async () => {
    if (await send('signUp', { body })) navigate('/login')
  }

  return (
    <AuthFrame name="가입" lead="한국투자증권 KIS Developers에서 받은 정보를 넣어 주세요.">
      <SubmitForm action="JOIN" check={checkAll} onSubmit={join}>
        <EmailField {...field('email')} />
        <Field
          label="비밀번호"
          type="password"
          autoComplete="new-password"
          help={PASSWORD_RULE}
          {...field('password')}
        />
        <Field label="비밀번호 확인" type="password" autoComplete="new-password" {...field('passwordCheck')} />
        <BrokerFields field={field} />
      </SubmitForm>
      <p>
        이미 가입하셨나요? <Link href="/login">로그인</Link>
      </p>
    </AuthFrame>
  )
}

/** What the broker's developer page shows of the account. */
function BrokerFields({ field }: Pick<Form<keyof typeof EMPTY>, 'field'>) {
  return (
    <>
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
    </>
  )
}
