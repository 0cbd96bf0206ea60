import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { useViewer } from '../../viewer/viewer.ts'
import css from './StopButton.module.css'
import { STOP_LABELS, strictestOf, type Stops, type StopState } from '../../stops/stops.ts'
import { useStop } from '../../stops/useStop.ts'
import { useStopAll } from '../../stops/useStopAll.ts'

const STATES: readonly StopState[] = ['active', 'reduce', 'halt']

/** What the button says that it does: going on is named only where the person who looks may do it. */
export function stopAction(stops: Stops | null, admin: boolean): string {
  if (stops === null || strictestOf(stops) === 'active') return '멈추기'
  const isHaltedHere = stops.user === 'halt' || (admin && stops.server === 'halt')
  return isHaltedHere ? '다시 시작' : '바꾸기'
}

/** On every screen: what is allowed now, and how to change it, also while nobody knows what is allowed. */
export function StopButton() {
  const { admin } = useViewer()
  const { stops, failed, setStop } = useStop()
  const { isStopping, stopAll } = useStopAll()
  const label = stops ? STOP_LABELS[strictestOf(stops)] : failed ? '상태 모름' : '확인 중'
  const action = stopAction(stops, admin)
  const items = (level: 'user' | 'server', name: string): SheetItem[] =>
    STATES.map((stop) => ({
      name: `${name} · ${STOP_LABELS[stop]}${stops?.[level] === stop ? ' (지금)' : ''}`,
      value: `${level} ${stop}`,
      danger: stop !== 'active',
      disabled: stops?.[level] === stop,
      func: () => void setStop({ level }, stop),
    }))
  const everything = {
    ...row(isStopping ? '모두 취소하고 멈추는 중' : '모두 취소하고 멈춤', stopAll, true),
    disabled: isStopping,
  }
  const open = () =>
    void ask.sheet('멈춤', [everything, ...items('user', '이 계좌'), ...(admin ? items('server', '서버 전체') : [])])
  return (
    <div className={css['control']} data-state={stops ? strictestOf(stops) : 'unknown'} data-crowded={admin}>
      {/* The button's own name has it, too. */}
      <span className={css['state']} aria-hidden="true">
        <span className={css['word']}>{label}</span>
      </span>
      <button
        type="button"
        className={css['button']}
        aria-haspopup="dialog"
        aria-label={`${label}, ${action}`}
        onClick={open}
      >
        {action}
      </button>
    </div>
  )
}
