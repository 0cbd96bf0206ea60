import { addDays } from '@digger/core'
import type { FirstDays } from '@digger/contract'
import { useState, type FormEvent } from 'react'
import { useToday } from '../../clock/now.ts'
import { Button } from '../../components/Button.tsx'
import { CheckField, Field } from '../../components/Field.tsx'
import { showDay } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import { isLooserRule } from './firstDaysText.ts'
import css from './LimitsPage.module.css'

type Rule = Pick<FirstDays, 'on' | 'days' | 'amount'>
export type SaveRule = (rule: Rule, onError?: (message: string) => void) => Promise<boolean>

const digits = (text: string): string => text.replaceAll(',', '').trim()

interface Props {
  firstDays: FirstDays
  save: SaveRule
  onDone: () => void
}

/** Whether they are wanted, for how long, and how much of new money a day. */
export function FirstDaysForm({ firstDays, save, onDone }: Props) {
  const [on, setOn] = useState(firstDays.on)
  const [days, setDays] = useState(firstDays.days === null ? '' : String(firstDays.days))
  const [amount, setAmount] = useState(number(firstDays.amount))
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const tomorrow = addDays(useToday(), 1)
  const wanted = { on, days: digits(days) === '' ? null : Number(digits(days)), amount: Number(digits(amount)) }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isWrong = ![digits(days) || '1', digits(amount)].every((text) => /^\d+$/.test(text))
    setError(isWrong ? '날수와 금액은 정수로 넣어 주세요.' : undefined)
    if (busy || isWrong) return
    setBusy(true)
    const saved = await save(wanted, setError)
    setBusy(false)
    if (saved) onDone()
  }
  const when = isLooserRule(firstDays, wanted)
    ? `푸는 것은 하룻밤 뒤 ${showDay(tomorrow)} 0시부터입니다.`
    : '저장하면 바로 지켜집니다.'
  return (
    <form className={css['form']} onSubmit={(event) => void submit(event)} noValidate>
      <CheckField
        name="firstDaysOn"
        label="한 번에 1주만 사기"
        help="실제 돈으로 처음 시작할 때 켜 두면 설정이 생각대로 움직이는지 적은 돈으로 볼 수 있습니다."
        checked={on}
        onChange={setOn}
      />
      <Amounts days={days} amount={amount} setDays={setDays} setAmount={setAmount} error={error} when={when} />
      <div className={css['buttons']}>
        <Button look="main" type="submit" disabled={busy}>
          저장
        </Button>
        <Button onClick={onDone}>닫기</Button>
      </div>
    </form>
  )
}

interface AmountProps {
  days: string
  amount: string
  setDays: (text: string) => void
  setAmount: (text: string) => void
  error: string | undefined
  when: string
}

function Amounts({ days, amount, setDays, setAmount, error, when }: AmountProps) {
  return (
    <>
      <Field
        label="며칠 동안"
        inputMode="numeric"
        unit="거래일"
        value={days}
        onChange={setDays}
        help="비워 두면 직접 풀 때까지입니다."
      />
      <Field
        label="하루에 쓸 금액"
        inputMode="numeric"
        unit="원"
        grouped
        value={amount}
        onChange={setAmount}
        error={error}
        help={when}
      />
    </>
  )
}
