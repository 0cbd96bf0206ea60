import { Button } from '../../components/Button.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { useStop } from '../../stops/useStop.ts'
import css from './LimitsPage.module.css'

/** The limits that stopped the buying, since when, and how to go on. */
export function ReachedLimits() {
  const { stops, setStop } = useStop()
  if (stops === null || stops.reached.length === 0) return null
  return (
    <Panel label="멈춘 이유">
      <h2>한도에 닿아 멈췄습니다</h2>
      <ul className={css['limits']}>
        {stops.reached.map(({ limit, code, text, at }) => (
          <li key={`${limit} ${code}`} className={css['reached']}>
            <p>
              <time dateTime={at}>{stamp(at)}</time> {text}
            </p>
            <Button
              onClick={() => void setStop(code === null ? { level: 'user' } : { level: 'stock', code }, 'active')}
            >
              멈춤 풀기
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
