import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import css from './StopBanner.module.css'
import { STOP_MEANING, STOP_LABELS } from '../../stops/stops.ts'
import { useStop } from '../../stops/useStop.ts'
import { usePathUser } from '../../url/user.ts'

/** Says who stopped what, which limit did it by itself, and where that is released, as long as it lasts. */
export function StopBanner() {
  const userId = usePathUser()
  const { stops, setStop, dismissOtherServer } = useStop()
  if (stops === null) return null
  const { server, serverReason, user, reached, otherServer } = stops
  const byLimit = user === 'reduce' && reached.some(({ code }) => code === null)
  return (
    <>
      {server !== 'active' && (
        <Banner title={`서버 전체 ${STOP_LABELS[server]}.`} halted={server === 'halt'}>
          {STOP_MEANING[server]} {serverReason}
        </Banner>
      )}
      {user !== 'active' && !byLimit && (
        <Banner
          title={`이 계좌 ${STOP_LABELS[user]}.`}
          halted={user === 'halt'}
          action={<Button onClick={() => void setStop({ level: 'user' }, 'active')}>멈춤 풀기</Button>}
        >
          {STOP_MEANING[user]}
        </Banner>
      )}
      {otherServer && (
        <Banner
          title="이 계좌 모두 멈춤."
          halted
          action={<Button onClick={() => void dismissOtherServer()}>계속하기</Button>}
        >
          {otherServer.text}
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

interface BannerProps {
  title: string
  /** Red: nothing is ordered any more. Amber: less than usual. */
  halted?: boolean
  children: ReactNode
  action?: ReactNode
}

function Banner({ title, halted = false, children, action }: BannerProps) {
  return (
    <output className={css['banner']} data-halted={halted}>
      <Icon name="stop" size={20} />
      <span>
        <b>{title}</b> {children}
      </span>
      {action}
    </output>
  )
}
