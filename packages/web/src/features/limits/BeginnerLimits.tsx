import type { Reply } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { number } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './LimitsPage.module.css'
import { LIMIT_TEXTS, withoutField, wrongLimit } from './limitTexts.ts'

type Proposed = Reply<'limits'>['proposed']

/** Cautious limits for who has not traded by machine before: filled in and explained one by one, saved by the person only. */
export function BeginnerLimits({ proposed }: { proposed: Proposed }) {
  // What was filled in stays while prices move.
  const [filled, setFilled] = useState<Proposed | null>(null)
  const toggle = () => setFilled(filled === null ? proposed : null)
  return (
    <div className={css['beginner']}>
      <Button aria-expanded={filled !== null} onClick={toggle}>
        처음이라면 이렇게
      </Button>
      {filled !== null && filled.length === 0 && (
        <p className={css['help']}>
          제안할 것이 없습니다. 지금 한도가 더 조이거나, 살 수 있는 금액을 증권사가 아직 말하지 않았습니다.
        </p>
      )}
      {filled !== null && filled.length > 0 && <Form proposed={filled} onDone={() => setFilled(null)} />}
    </div>
  )
}

function Form({ proposed, onDone }: { proposed: Proposed; onDone: () => void }) {
  const userId = usePathUser()
  const client = useQueryClient()
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(proposed.map(({ name, value }) => [name, number(value)])),
  )
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || proposed.some(({ name }) => wrongLimit(name, texts[name] ?? '') !== null)) return
    setBusy(true)
    setError(undefined)
    const given = { params: { userId }, body: texts }
    const reply = await send('setLimits', given, ({ message }) => setError(withoutField(message)))
    setBusy(false)
    if (reply === null) return
    client.setQueryData(read('limits', { params: { userId } }).queryKey, reply)
    onDone()
  }
  return (
    <form className={css['form']} aria-label="처음이라면 이렇게" onSubmit={(event) => void submit(event)} noValidate>
      <p className={css['help']}>읽고 고친 뒤 저장해 주세요. 저장하기 전에는 아무것도 바뀌지 않습니다.</p>
      {proposed.map(({ name, why }) => (
        <Field
          key={name}
          label={LIMIT_TEXTS[name].title}
          inputMode="numeric"
          unit={LIMIT_TEXTS[name].unit}
          grouped
          value={texts[name] ?? ''}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
          error={wrongLimit(name, texts[name] ?? '') ?? undefined}
          help={why}
        />
      ))}
      {error !== undefined && (
        <p className={css['wrong']} role="alert">
          {error}
        </p>
      )}
      <div className={css['buttons']}>
        <Button look="main" type="submit" disabled={busy}>
          이대로 저장
        </Button>
        <Button onClick={onDone}>닫기</Button>
      </div>
    </form>
  )
}
