import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { read } from '../api/read.ts'
import { useNow } from '../clock/now.ts'
import { isOldKey, keyDays } from '../features/login/keyAge.ts'
import { StopBanner } from '../features/stop/StopBanner.tsx'
import { clock } from '../format/time.ts'
import { useLost } from '../live/useLive.ts'
import { setStreaming } from '../market/market.ts'
import { usePathUser } from '../url/user.ts'
import { useViewer } from '../viewer/viewer.ts'
import { Banner } from './Banner.tsx'
import { LateOrders } from './LateOrders.tsx'

/** What a person must know before believing any number below. */
export function Banners() {
  const lost = useLost()
  const userId = usePathUser()
  const { me } = useViewer()
  const shown = useQuery({ ...read('me', { params: { userId } }), enabled: me !== null })
  const socket = useQuery({ ...read('socket', { params: { userId } }), refetchInterval: 60_000 })
  const streaming = lost === null && socket.data?.connected === true
  const keys = shown.data?.keysStoredAt ?? null
  const days = useNow((now) => (keys === null ? 0 : keyDays(keys, now)))
  useEffect(() => setStreaming(streaming), [streaming])
  return (
    <>
      {lost && (
        <Banner icon="cloud">
          실시간 연결이 끊겼습니다. <b>{clock(lost.since)}</b> 기준이며 다시 연결하는 중입니다.
        </Banner>
      )}
      {!lost && socket.data?.connected === false && (
        <Banner icon="unplug">
          {socket.data.refused ? (
            <>
              증권사가 키나 HTS ID를 받지 않거나 체결 통보를 열어 주지 않아 시세가 없습니다.{' '}
              <Link href={`/${userId}/credentials`}>‘증권사 정보’에서 확인하기</Link>
            </>
          ) : (
            <>
              증권사 시세 연결이 끊겨 가격이 멈춰 있습니다.{' '}
              <Link href={`/${userId}/socket`}>‘시세 연결’에서 다시 잇기</Link>
            </>
          )}
        </Banner>
      )}
      {shown.data?.shadow && <ShadowBanner userId={userId} />}
      {keys !== null && isOldKey(days) && (
        <Banner icon="warn">
          증권사 키를 저장한 지 <b>{days}일</b>입니다. 1년이 지나면 매매가 멈춥니다.{' '}
          <Link href={`/${userId}/credentials`}>‘증권사 정보’에서 바꾸기</Link>
        </Banner>
      )}
      {shown.data?.userKey === false && (
        <Banner icon="warn">
          사용자 키가 없어 주문할 수 없습니다. 다시 로그인하거나 관리자에게 키를 열어 달라고 하세요.
        </Banner>
      )}
      {!lost && <LateOrders />}
      <StopBanner />
    </>
  )
}

/** As the environment, on every screen: nothing of any account is sent. */
const ShadowBanner = ({ userId }: { userId: string }) => (
  <Banner icon="eye">
    서버 전체가 그림자(연습)입니다. 주문을 보내지 않습니다. <Link href={`/${userId}/shadow`}>‘보냈을 주문’ 보기</Link>
  </Banner>
)
