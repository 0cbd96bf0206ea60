import { Icon } from '../../components/Icon.tsx'
import css from './StopBanner.module.css'
import { STOP_MEANING, STOP_WORDS } from '../../session/stops.ts'
import { useStop } from '../../session/useStop.ts'

/** Says who stopped what, as long as it lasts. */
export function StopBanner() {
  const { stops } = useStop()
  const places = stops
    ? ([
        ['서버 전체', stops.server],
        ['이 계좌', stops.user],
      ] as const)
    : []
  return places
    .filter(([, state]) => state !== 'active')
    .map(([place, state]) => (
      <output key={place} className={css['banner']}>
        <Icon name="stop" size={20} />
        <span>
          <b>
            {place} {STOP_WORDS[state]}.
          </b>{' '}
          {STOP_MEANING[state]}
        </span>
      </output>
    ))
}
