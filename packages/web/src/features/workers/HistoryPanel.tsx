import type { HistoryState } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Bar } from '../../components/Progress.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { showDay } from '../../format/day.ts'
import { stamp } from '../../format/time.ts'
import css from './Workers.module.css'

/** A call a second at most changes what it shows, ms. */
const POLL_INTERVAL_MS = 10_000

/** How far the server is with candles of the past, which it reads for everybody. */
export function HistoryPanel() {
  const query = useQuery({ ...read('adminHistory', {}), staleTime: 0, refetchInterval: POLL_INTERVAL_MS })
  return (
    <Panel label="지난 시세">
      <h2>지난 시세</h2>
      <QueryView query={query} rows={3}>
        {(state) => <History state={state} />}
      </QueryView>
    </Panel>
  )
}

const UNIT_NAMES = { day: '일봉', minute: '분봉' } as const

export function History({ state }: { state: HistoryState }) {
  const { stocks, daysComplete, minutesComplete, notes } = state
  if (stocks === 0)
    return <p className={css['note']}>아직 종목이 없습니다. 계좌에 종목을 넣으면 지난 시세를 모읍니다.</p>
  return (
    <>
      <div className={css['bars']}>
        <Bar done={daysComplete} total={stocks} label="일봉 10년을 다 모은 종목" />
        <Bar done={minutesComplete} total={stocks} label="분봉 60일을 다 모은 종목" />
      </div>
      <Facts
        facts={[
          ['지금 읽는 것', readingText(state)],
          ['다 모이는 때', doneText(state)],
          ['남은 조회', state.callsLeft === 0 ? '없음' : `약 ${state.callsLeft.toLocaleString('ko-KR')}번`],
        ]}
      />
      {notes.length > 0 && (
        <ul className={css['notes']} aria-label="모으지 못한 까닭">
          {notes.map(({ text, stocks: count }) => (
            <li key={text}>
              {text} ({count}종목)
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function readingText({ reading, callsLeft }: Pick<HistoryState, 'reading' | 'callsLeft'>): string {
  if (reading.length > 0)
    return reading
      .map(
        ({ name, unit, upTo }) =>
          `${name} ${UNIT_NAMES[unit]}${upTo === null ? '' : ` (${showDay(upTo)}까지 거슬러 감)`}`,
      )
      .join(', ')
  return callsLeft === 0 ? '없음' : '없음. 증권사 키가 열려 있으면 곧 이어집니다.'
}

export const doneText = ({ doneAt, callsLeft }: Pick<HistoryState, 'doneAt' | 'callsLeft'>): string =>
  doneAt === null ? (callsLeft === 0 ? '다 모았습니다' : '멈춰 있습니다') : `${stamp(doneAt).slice(0, 14)}쯤`
