import type { ClipboardEvent, ReactNode } from 'react'
import { ask } from '../../ask/ask.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { SecretField } from '../../components/SecretField.tsx'
import css from './BrokerKeyFields.module.css'
import { APP_KEY_LENGTH, APP_SECRET_LENGTH, kisKeysIn, lengthHint, type KisKeys } from './kisKeys.ts'
import type { Form } from './useForm.ts'

interface Props {
  form: Form<'appKey' | 'appSecret' | 'htsId'>
  /** What is stored, in grey where nothing is typed; null: it is not known. */
  stored?: Partial<Record<'appKey' | 'appSecret' | 'htsId', string>> | null
  /** Between the keys and the HTS ID. */
  children?: ReactNode
}

/** What the broker's developer page shows of the account, each with the place where it is found. */
export function BrokerKeyFields({ form: { texts, field, fill }, stored, children }: Props) {
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
        placeholder={stored?.appKey}
        help={lengthHint(texts.appKey, APP_KEY_LENGTH) || '36자. KIS Developers의 ‘내 키 관리’에 있습니다.'}
        {...field('appKey')}
      />
      <SecretField
        label="appSecret"
        autoComplete="off"
        placeholder={stored?.appSecret}
        help={
          lengthHint(texts.appSecret, APP_SECRET_LENGTH) ||
          '180자. appKey 바로 아래에 있습니다. 암호화해서 보관하며 다시 보여 주지 않습니다.'
        }
        {...field('appSecret')}
      />
      {children}
      <Field
        label="HTS ID"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={stored?.htsId}
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
