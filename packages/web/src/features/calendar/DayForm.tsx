import type { Reply } from '@digger/contract'
import { kstDay } from '@digger/core'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/send.ts'
import { Field } from '../../components/Field.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Segments } from '../../components/Segments.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import css from './Calendar.module.css'
import { typedDay, type DayDraft } from './dayDraft.ts'

const HOW = [
  ['closed', '휴장'],
  ['normal', '보통'],
  ['hours', '시각 정하기'],
] as const

interface Props {
  draft: DayDraft
  /** Grows with each day that is brought here from the list: then it is where the person goes on. */
  brought: number
  onChange: (draft: DayDraft) => void
  onSaved: (calendar: Reply<'calendar'>) => void
}

interface Problem {
  readonly problem: string
  readonly at: 'date' | 'hours'
}

/** One day, closed, opened, or with hours of its own. Whoever saves it changes the trading of every account. */
export function DayForm({ draft, brought, onChange, onSaved }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    if (brought > 0) box.current?.querySelector('input')?.focus()
  }, [brought])
  const change = (next: Partial<DayDraft>) => {
    setProblem(undefined)
    onChange({ ...draft, ...next })
  }
  const typed = (): ReturnType<typeof typedDay> => typedDay(draft, kstDay(Date.now()))
  const check = () => {
    const now = typed()
    setProblem('problem' in now ? now : undefined)
    return !('problem' in now)
  }
  const save = async () => {
    const now = typed()
    if ('problem' in now) return
    const calendar = await send('setCalendarDay', { params: { day: now.day }, body: { is: now.is } })
    if (calendar !== null) onSaved(calendar)
  }
  return (
    <Panel label="하루 고치기">
      <h2>하루 고치기</h2>
      <p className={css['note']}>저장하면 모든 계좌가 바로 따르고, 증권사가 알려 주는 것보다 앞섭니다.</p>
      <div ref={box}>
        <SubmitForm action="저장" check={check} onSubmit={save}>
          <Field
            label="날짜"
            type="date"
            value={draft.date}
            onChange={(date) => change({ date })}
            error={problem?.at === 'date' ? problem.problem : undefined}
          />
          <Segments label="그날은" options={HOW} value={draft.how} onChange={(how) => change({ how })} />
          {draft.how === 'hours' && (
            <Hours draft={draft} change={change} error={problem?.at === 'hours' ? problem.problem : undefined} />
          )}
        </SubmitForm>
      </div>
    </Panel>
  )
}

interface HoursProps {
  draft: DayDraft
  change: (next: Partial<DayDraft>) => void
  error: string | undefined
}

function Hours({ draft, change, error }: HoursProps) {
  const field = (
    label: string,
    name: 'opensAt' | 'closesAt' | 'preMarketAt',
    more: { error?: string | undefined; help?: string },
  ) => (
    <Field
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={draft[name]}
      onChange={(text) => change({ [name]: text })}
      {...more}
    />
  )
  return (
    <div className={css['hours']}>
      {field('여는 시각', 'opensAt', { error })}
      {field('닫는 시각', 'closesAt', {})}
      {field('NXT 프리마켓', 'preMarketAt', { help: '비우면 그날은 프리마켓이 없습니다.' })}
    </div>
  )
}
