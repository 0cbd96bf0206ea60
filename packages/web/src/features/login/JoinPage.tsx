import type { ClipboardEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { SecretField } from '../../components/SecretField.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { EmailField } from './EmailField.tsx'
import css from './JoinPage.module.css'
import { APP_KEY_LENGTH, APP_SECRET_LENGTH, kisKeysIn, lengthHint, type KisKeys } from './kisKeys.ts'
import { isRepeated, PASSWORD_RULE, useForm, type Form } from './useForm.ts'

const EMPTY = { email: '', password: '', passwordCheck: '', appKey: '', appSecret: '', accountNumber: '', htsId: '' }

/** What the server calls the fields where it refuses one. */
const LABELS = {
  이메일: 'email',
  비밀번호: 'password',
  appKey: 'appKey',
  appSecret: 'appSecret',
  계좌번호: 'accountNumber',
  'HTS ID': 'htsId',
} as const
const NOT_CHECKED =
  '증권사가 제때 답하지 않았습니다. 로그인한 뒤 시세 연결이 되지 않으면 메뉴의 ‘증권사 정보’에서 HTS ID를 고쳐 주세요.'

export function JoinPage() {
  const form = useForm(EMPTY)
  const { texts, field, check } = form
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
        <BrokerFields form={form} />
        <p>누르면 증권사에 한 번 접속해 확인합니다. 틀리면 여기서 고칠 수 있습니다.</p>
      </SubmitForm>
      <p>
        이미 가입하셨나요? <Link href="/login">로그인</Link>
      </p>
    </AuthFrame>
  )
}

/** What the broker's developer page shows of the account, each with the place where it is found. */
function BrokerFields({ form: { texts, field, fill } }: { form: Form<keyof typeof EMPTY> }) {
  const paste = (event: ClipboardEvent) => {
    const keys = kisKeysIn(event.clipboardData.getData('text'))
    // One key alone goes where it was pasted.
    if (keys.appKey === undefined || keys.appSecret === undefined) return
    event.preventDefault()
    fill(keys)
  }
  return (
    <fieldset className={css['broker']} onPaste={paste}>
      <legend>증권사 정보</legend>
      <Button onClick={() => void clipboardKeys().then(fill)}>키 한꺼번에 붙여 넣기</Button>
      <Field
        label="appKey"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        help={lengthHint(texts.appKey, APP_KEY_LENGTH) || '36자. KIS Developers의 ‘내 키 관리’에 있습니다.'}
        {...field('appKey')}
      />
      <SecretField
        label="appSecret"
        autoComplete="off"
        help={
          lengthHint(texts.appSecret, APP_SECRET_LENGTH) ||
          '180자. appKey 바로 아래에 있습니다. 암호화해서 보관하며 다시 보여 주지 않습니다.'
        }
        {...field('appSecret')}
      />
      <Field
        label="accountNumber"
        inputMode="numeric"
        autoComplete="off"
        help="한국투자 앱의 계좌 목록에 있는 12345678-01 같은 번호. 하이픈은 있어도 없어도 됩니다."
        {...field('accountNumber')}
      />
      <Field
        label="HTS ID"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        help="한국투자 홈페이지나 앱에 로그인할 때 쓰는 아이디. 체결 알림을 받는 데 씁니다."
        {...field('htsId')}
      />
    </fieldset>
  )
}

/** Both keys at once where the clipboard has them; says how else where it has none. */
async function clipboardKeys(): Promise<KisKeys> {
  const keys = kisKeysIn(await clipboardText())
  if (keys.appKey === undefined && keys.appSecret === undefined)
    await ask.alert(
      '붙여 넣을 키를 찾지 못했습니다.',
      'KIS Developers의 ‘내 키 관리’에서 appKey와 appSecret을 함께 복사해 주세요. appKey 칸에 바로 붙여 넣어도 나누어 넣습니다.',
    )
  return keys
}

/** '' where the browser has no clipboard to read, or the person does not let it be read. */
async function clipboardText(): Promise<string> {
  try {
    return await navigator.clipboard.readText()
  } catch {
    return ''
  }
}
