import { ask, row, type SheetItem } from '../../ask/ask.ts'
import { Icon } from '../../components/Icon.tsx'
import { useViewer } from '../../viewer/viewer.ts'
import css from './StopButton.module.css'
import { STOP_LABELS, strictestOf, type StopState } from '../../stops/stops.ts'
import { useStop } from '../../stops/useStop.ts'
import { useStopAll } from '../../stops/useStopAll.ts'

const STATES: readonly StopState[] = ['active', 'reduce', 'halt']

/** The red button of every screen: what is allowed now, and how to stop it, also while nobody knows what is allowed. */
export function StopButton() {
  const { admin } = useViewer()
  const { stops, failed, setStop } = useStop()
  const { isStopping, stopAll } = useStopAll()
  const unknown = failed ? '상태 모름' : '멈춤'
  const label = stops ? STOP_LABELS[strictestOf(stops)] : unknown
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
    <button
      type="button"
      className={css['button']}
      aria-haspopup="dialog"
      aria-label={`${label}, 멈춤 바꾸기`}
      onClick={open}
    >
      <Icon name="stop" size={18} />
      <span>{label}</span>
    </button>
  )
}
