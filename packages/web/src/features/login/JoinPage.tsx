import { Link, useLocation } from 'wouter'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Field } from '../../components/Field.tsx'
import { SecretField } from '../../components/SecretField.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { EmailField } from './EmailField.tsx'
import { BrokerKeyFields } from './BrokerKeyFields.tsx'
import { withHyphen } from './kisKeys.ts'
import { BROKER_LABELS, isRepeated, PASSWORD_RULE, useForm } from './useForm.ts'

const EMPTY = { email: '', password: '', passwordCheck: '', appKey: '', appSecret: '', accountNumber: '', htsId: '' }

/** What the server calls the fields where it refuses one. */
const LABELS = {
  이메일: 'email',
  비밀번호: 'password',
  계좌번호: 'accountNumber',
  ...BROKER_LABELS,
} as const
const NOT_CHECKED =
  '증권사가 제때 답하지 않았습니다. 로그인한 뒤 시세 연결이 되지 않으면 메뉴의 ‘증권사 정보’에서 HTS ID를 고쳐 주세요.'

export function JoinPage() {
  const form = useForm(EMPTY)
  const { texts, field, check } = form
  const account = field('accountNumber')
  const [, navigate] = useLocation()
  const { passwordCheck, ...body } = texts
  const checkAll = () =>
    check() && isRepeated(body.password, passwordCheck, '비밀번호와 비밀번호 확인이 서로 다릅니다.')

  const join = async () => {
    const reply = await send('signUp', { body }, ({ code, message }) => {
      const rest = code === 'INVALID' ? form.refuse(message, LABELS) : message
      if (rest !== '') void ask.alert(rest)
    })
    if (!reply) return
    // Before the next page: dialogs are dismissed when their page is left.
    if (!reply.htsIdChecked) await ask.alert('가입했지만 HTS ID는 확인하지 못했습니다', NOT_CHECKED)
    navigate('/login', { state: { joined: body.email.trim() } })
  }

  return (
    <AuthFrame name="가입" lead="한국투자증권 KIS Developers에서 받은 정보를 넣어 주세요.">
      <SubmitForm action="JOIN" check={checkAll} onSubmit={join}>
        <EmailField {...field('email')} />
        <SecretField label="비밀번호" autoComplete="new-password" help={PASSWORD_RULE} {...field('password')} />
        <SecretField label="비밀번호 확인" autoComplete="new-password" {...field('passwordCheck')} />
        <BrokerKeyFields form={form}>
          <Field
            label="accountNumber"
            inputMode="numeric"
            autoComplete="off"
            help="한국투자 앱의 계좌 목록에 있는 12345678-01 같은 번호. 하이픈은 있어도 없어도 됩니다."
            {...account}
            onChange={(text) => account.onChange(withHyphen(text))}
          />
        </BrokerKeyFields>
        <p>누르면 증권사에 한 번 접속해 확인합니다. 틀리면 여기서 고칠 수 있습니다.</p>
      </SubmitForm>
      <p>
        이미 가입하셨나요? <Link href="/login">로그인</Link>
      </p>
    </AuthFrame>
  )
}
