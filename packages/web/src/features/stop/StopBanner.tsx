import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import css from './StopBanner.module.css'
import { STOP_MEANING, STOP_LABELS } from '../../stops/stops.ts'
import { useStop } from '../../stops/useStop.ts'
import { usePathUser } from '../../url/user.ts'

/** Says who stopped what, and which limit did it by itself, as long as it lasts. */
export function StopBanner() {
  const userId = usePathUser()
  const { stops, dismissOtherServer } = useStop()
  if (stops === null) return null
  const { server, serverReason, user, reached, otherServer } = stops
  const byLimit = user === 'reduce' && reached.some(({ code }) => code === null)
  const places = [['서버 전체', server, serverReason], ...(byLimit ? [] : [['이 계좌', user, null] as const])] as const
  return (
    <>
      {places
        .filter(([, state]) => state !== 'active')
        .map(([place, state, reason]) => (
          <Banner key={place} title={`${place} ${STOP_LABELS[state]}.`}>
            {STOP_MEANING[state]} {reason}
          </Banner>
        ))}
      {otherServer && (
        <Banner title="이 계좌 모두 멈춤.">
          {otherServer.text} <Button onClick={() => void dismissOtherServer()}>계속하기</Button>
        </Banner>
      )}
      {reached.map(({ limit, code, text }) => (
        <Banner key={`${limit} ${code}`} title="한도에 닿아 매수를 멈췄습니다:">
          {text} <Link href={`/${userId}/limits`}>한도 보기</Link>
        </Banner>
      ))}
    </>
  )
}

function Banner({ title, children }: { title: string; children: ReactNode }) {
  return (
    <output className={css['banner']}>
      <Icon name="stop" size={20} />
      <span>
        <b>{title}</b> {children}
      </span>
    </output>
  )
}
