import type { CalendarDay } from '@digger/contract'
import { correctionText } from '@digger/core'
import { useToday } from '../../clock/now.ts'
import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { showDay, weekdayName } from '../../format/day.ts'
import { stamp } from '../../format/time.ts'
import css from './Calendar.module.css'

interface Props {
  days: readonly CalendarDay[]
  onEdit: (day: CalendarDay) => void
  onTakeBack: (day: CalendarDay) => void
}

/** Every day that differs from an ordinary one, with who says so. */
export function CalendarDays({ days, onEdit, onTakeBack }: Props) {
  const today = useToday()
  return (
    <Panel label="보통과 다른 날">
      <h2>보통과 다른 날</h2>
      <ul className={css['days']}>
        {days.map((day) => (
          <li key={day.day}>
            <p className={css['day']}>
              <b>
                {showDay(day.day)} ({weekdayName(day.day)})
              </b>
              <span>{correctionText(day.is)}</span>
            </p>
            <p className={css['note']}>{sourceText(day)}</p>
            <p className={css['buttons']}>
              {day.day >= today && (
                <Button look="quiet" aria-label={`${showDay(day.day)} 고치기`} onClick={() => onEdit(day)}>
                  고치기
                </Button>
              )}
              {day.source === 'operator' && (
                <Button look="quiet" aria-label={`${showDay(day.day)} 고친 것 지우기`} onClick={() => onTakeBack(day)}>
                  고친 것 지우기
                </Button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function sourceText({ source, correctedBy, otherwise }: CalendarDay): string {
  if (source === 'shipped') return 'Digger에 들어 있는 날'
  if (source === 'broker') return '증권사가 알려 준 날'
  const who = correctedBy === null ? '운영자' : `${correctedBy.by}, ${stamp(correctedBy.at)}`
  return `고친 날 (${who}) · 고치지 않으면 ${correctionText(otherwise ?? 'normal')}`
}
