import type { NotificationSettings } from '@digger/contract'
import { useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Segments } from '../../components/Segments.tsx'
import { SubmitForm } from '../../components/SubmitForm.tsx'
import css from './Notification.module.css'
import { typedQuiet } from './notificationText.ts'

type Quiet = NotificationSettings['quiet']
type Hours = NonNullable<Quiet>

const NIGHT = { from: '22:00', to: '07:00' }
const CHOICES = [
  ['none', '없음'],
  ['hours', '시각 정하기'],
] as const

interface Props {
  quiet: Quiet
  /** Resolves with whether it was saved. */
  onSave: (quiet: Quiet) => Promise<boolean>
}

/** What is typed stays until it is saved. */
export function QuietHours({ quiet, onSave }: Props) {
  const [draft, setDraft] = useState<Hours | null>(null)
  const [saved, setSaved] = useState(false)
  const shown = draft ?? quiet
  const edit = (next: Hours | null) => {
    setDraft(next)
    setSaved(false)
  }
  const save = async (next: Quiet) => {
    const done = await onSave(next)
    if (done) setDraft(null)
    setSaved(done)
  }
  const choose = (choice: 'none' | 'hours') => {
    edit(choice === 'hours' ? (quiet ?? NIGHT) : null)
    if (choice === 'none' && quiet !== null) void save(null)
  }
  return (
    <Panel label="방해 금지 시간">
      <h2>방해 금지 시간</h2>
      <p className={css['note']}>방해 금지 시간에는 늦추거나 빼지 않고 소리만 내지 않습니다. 한국 시각입니다.</p>
      <div className={css['quiet']}>
        <Segments
          label="방해 금지 시간"
          options={CHOICES}
          value={shown === null ? 'none' : 'hours'}
          onChange={choose}
        />
        {shown !== null && <HoursForm hours={shown} onEdit={edit} onSave={save} />}
        <output className={css['note']}>{saved && '저장했습니다.'}</output>
      </div>
    </Panel>
  )
}

interface FormProps {
  hours: Hours
  onEdit: (hours: Hours) => void
  onSave: (hours: Hours) => Promise<void>
}

function HoursForm({ hours, onEdit, onSave }: FormProps) {
  const [error, setError] = useState<string>()
  const typed = typedQuiet(hours.from, hours.to)
  const edit = (change: Partial<Hours>) => {
    setError(undefined)
    onEdit({ ...hours, ...change })
  }
  const check = () => {
    const wrong = typeof typed === 'string' ? typed : undefined
    setError(wrong)
    return wrong === undefined
  }
  const save = () => (typeof typed === 'string' ? Promise.resolve() : onSave(typed))
  return (
    <SubmitForm action="저장" check={check} onSubmit={save}>
      <div className={css['hours']}>
        <Field label="시작" type="time" value={hours.from} onChange={(from) => edit({ from })} error={error} />
        <Field label="끝" type="time" value={hours.to} onChange={(to) => edit({ to })} />
      </div>
    </SubmitForm>
  )
}
