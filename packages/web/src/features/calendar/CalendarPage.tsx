import type { CalendarDay, Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask } from '../../ask/ask.ts'
import { Page } from '../../components/Page.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { showDay } from '../../format/day.ts'
import { ME } from '../../url/user.ts'
import css from './Calendar.module.css'
import { CalendarDays } from './CalendarDays.tsx'
import { DayForm } from './DayForm.tsx'
import { draftOf, NEW_DAY } from './dayDraft.ts'

/** The exchange's days: those that differ from an ordinary one, and the operator's way to correct them. */
export function CalendarPage() {
  const client = useQueryClient()
  // No event brings what a command on the server changed: it is read at every visit.
  const query = useQuery({ ...read('calendar', {}), staleTime: 0 })
  const [draft, setDraft] = useState(NEW_DAY)
  const [brought, setBrought] = useState(0)
  const put = (calendar: Reply<'calendar'>) => client.setQueryData(read('calendar', {}).queryKey, calendar)
  const takeBack = async ({ day }: CalendarDay) => {
    const sure = await ask.confirm(`${showDay(day)}에 고친 것을 지울까요?`, {
      note: 'Digger에 들어 있는 날과 증권사가 알려 준 날을 다시 따릅니다.',
      yes: '지우기',
    })
    if (!sure) return
    const calendar = await send('deleteCalendarDay', { params: { day } })
    if (calendar !== null) put(calendar)
  }
  const saved = (calendar: Reply<'calendar'>) => {
    put(calendar)
    setDraft(NEW_DAY)
    void ask.alert('done', '저장했습니다. 모든 계좌가 바로 따릅니다.')
  }
  return (
    <Page title="Admin Calendar" name="거래일 달력" homeHref={`/${ME}/admin/user`} wide>
      <QueryView query={query}>
        {(calendar) => (
          <>
            <Notices calendar={calendar} />
            <DayForm key={brought} draft={draft} brought={brought} onChange={setDraft} onSaved={saved} />
            <CalendarDays
              days={calendar.days}
              onEdit={({ day, is }) => {
                setDraft(draftOf(day, is))
                setBrought(brought + 1)
              }}
              onTakeBack={(day) => void takeBack(day)}
            />
          </>
        )}
      </QueryView>
    </Page>
  )
}

export function Notices({ calendar: { hours, missingYear } }: { calendar: Reply<'calendar'> }) {
  return (
    <>
      {missingYear !== null && (
        <output className={css['missing']}>
          {missingYear}년 휴장일이 아직 없습니다. 거래소가 알린 날을 아래에서 하나씩 넣거나, 그 해의 날이 들어 있는 새
          버전으로 올려 주세요. 넣지 않으면 휴장일에도 주문을 내고 거절당합니다.
        </output>
      )}
      {hours === 'always' && (
        <p className={css['note']}>이 서버의 거래소는 늘 열려 있어, 여기 적힌 날과 시각을 쓰지 않습니다.</p>
      )}
    </>
  )
}
