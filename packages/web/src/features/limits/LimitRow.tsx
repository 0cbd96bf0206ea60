import { addDays } from '@digger/core'
import type { Limit } from '@digger/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { showDay } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import { useToday } from '../../clock/now.ts'
import { usePathUser } from '../../url/user.ts'
import css from './LimitsPage.module.css'
import { amountOf, isLooserText, LIMIT_TEXTS, usedOf, withoutField, wrongLimit, type LimitName } from './limitTexts.ts'

type Save = (text: string, onError?: (message: string) => void) => Promise<boolean>

function useSave(name: LimitName): Save {
  const userId = usePathUser()
  const client = useQueryClient()
  return async (text, onError) => {
    const given = { params: { userId }, body: { [name]: text } }
    const reply = await send('setLimits', given, onError && (({ message }) => onError(withoutField(message))))
    if (reply) client.setQueryData(read('limits', { params: { userId } }).queryKey, reply)
    return reply !== null
  }
}

/** One limit: how much of it is used, what waits for its night, and a form to change it. */
export function LimitRow({ limit }: { limit: Limit }) {
  const { name, value, ceiling, used, pending } = limit
  const { title, help } = LIMIT_TEXTS[name]
  const [open, setOpen] = useState(false)
  const save = useSave(name)
  const row = useRef<HTMLLIElement>(null)
  const close = () => {
    setOpen(false)
    // The button that opened the form: the first of the row.
    row.current?.querySelector('button')?.focus()
  }
  return (
    <li ref={row}>
      <div className={css['head']}>
        <h3>{title}</h3>
        <Button look="quiet" aria-expanded={open} aria-label={`${title} 바꾸기`} onClick={() => setOpen(!open)}>
          바꾸기
        </Button>
      </div>
      <p className={css['use']}>{usedOf(limit)}</p>
      {used !== null && value !== null && <Bar title={title} used={used} value={value} text={usedOf(limit)} />}
      <p className={css['help']}>
        {help}
        {ceiling !== null && ` 서버의 상한은 ${amountOf(name, ceiling)}입니다.`}
      </p>
      {pending && (
        <p className={css['pending']}>
          <span>
            {showDay(pending.from)} 0시부터 <b>{amountOf(name, pending.value)}</b>
          </span>
          <Button look="quiet" aria-label={`${title} 늘리기 취소`} onClick={() => void save(String(value ?? ''))}>
            취소
          </Button>
        </p>
      )}
      {open && <Form limit={limit} save={save} onDone={close} />}
    </li>
  )
}

function Bar({ title, used, value, text }: { title: string; used: number; value: number; text: string }) {
  const share = value === 0 ? Number(used > 0) : used / value
  const state = share >= 1 ? 'reached' : share >= 0.8 ? 'near' : 'far'
  return (
    <progress
      className={css['bar']}
      data-state={state}
      max={1}
      value={Math.min(1, share)}
      aria-label={`${title} 쓴 만큼`}
      aria-valuetext={text}
    />
  )
}

function Form({ limit, save, onDone }: { limit: Limit; save: Save; onDone: () => void }) {
  const { name, value } = limit
  const { title, unit } = LIMIT_TEXTS[name]
  const tomorrow = addDays(useToday(), 1)
  const [text, setText] = useState(value === null ? '' : number(value))
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = wrongLimit(name, text)
    setError(wrong ?? undefined)
    if (busy || wrong !== null) return
    setBusy(true)
    const saved = await save(text, setError)
    setBusy(false)
    if (saved) onDone()
  }
  const when = isLooserText(value, text)
    ? `늘리는 것이라 하룻밤 뒤 ${showDay(tomorrow)} 0시부터 지켜집니다.`
    : '저장하면 바로 지켜집니다.'
  return (
    <form ref={form} className={css['form']} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label={`${title} 한도`}
        inputMode="numeric"
        unit={unit}
        value={text}
        onChange={setText}
        error={error}
        help={`비워 두면 한도를 두지 않습니다. ${when}`}
      />
      <div className={css['buttons']}>
        <Button look="main" type="submit" disabled={busy}>
          저장
        </Button>
        <Button onClick={onDone}>닫기</Button>
      </div>
    </form>
  )
}
