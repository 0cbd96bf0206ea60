import type { NewChannel } from '@digger/contract'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/send.ts'
import { Field } from '../../components/Field.tsx'
import { Segments } from '../../components/Segments.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import { usePathUser } from '../../url/user.ts'
import css from './Notification.module.css'
import { usePutSetup } from './notificationQueries.ts'
import { wrongAddress } from './notificationText.ts'

type Template = NonNullable<Extract<NewChannel, { kind: 'webhook' }>['template']>

const TEMPLATES = [
  ['json', '그대로 JSON'],
  ['ntfy', 'ntfy'],
  ['slack', 'Slack'],
  ['discord', 'Discord'],
] as const satisfies readonly (readonly [Template, string])[]

/** A refusal of the contract names the field first, for programs. */
const withoutField = (message: string): string => message.replace(/^[^:\n]+: /, '')

/** An address of the person's own. What was typed stays until it is added. */
export function WebhookForm({ onDone }: { onDone: () => void }) {
  const userId = usePathUser()
  const put = usePutSetup()
  const [url, setUrl] = useState('')
  const [template, setTemplate] = useState<Template>('json')
  const [error, setError] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  const check = () => {
    const wrong = wrongAddress(url)
    setError(wrong ?? undefined)
    return wrong === null
  }
  const save = async () => {
    const body = { kind: 'webhook', url: url.trim(), template } as const
    const setup = await send('addChannel', { params: { userId }, body }, ({ message }) =>
      setError(withoutField(message)),
    )
    if (setup === null) return
    put(setup)
    onDone()
  }
  return (
    <div ref={box} className={css['form']}>
      <SubmitForm action="더하기" check={check} onSubmit={save}>
        <Field
          label="웹훅 주소"
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          placeholder="https://"
          value={url}
          onChange={setUrl}
          error={error}
          help="주소는 비밀번호처럼 다룹니다. 더한 뒤에는 서버 이름만 보이고 주소는 다시 보이지 않습니다."
        />
        <div className={css['templates']}>
          <Segments label="보내는 모양" options={TEMPLATES} value={template} onChange={setTemplate} />
        </div>
      </SubmitForm>
    </div>
  )
}
