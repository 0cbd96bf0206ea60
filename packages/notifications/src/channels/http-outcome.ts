import { again, dead, type Sent, SENT } from './channel.ts'
import type { NoReply, Reply } from './pinned-request.ts'
import { retryAfterMs } from './retry-after.ts'

/** A name that is nowhere or private now may be another tomorrow, as when a resolver blocks it; an address as it is written cannot. */
const NO_REPLY: Readonly<Record<NoReply, Sent>> = {
  malformed: dead('주소를 읽을 수 없습니다. https:// 로 시작하는 주소를 다시 등록해 주세요.'),
  notHttps: dead('https가 아닌 주소로는 보내지 않습니다. https:// 로 시작하는 주소를 다시 등록해 주세요.'),
  notPublic: dead('내부망 주소로는 보내지 않습니다. 필요하면 운영자에게 허용을 요청해 주세요.'),
  resolvesToPrivate: again('이름이 내부망 주소를 가리켜 보내지 않았습니다. 필요하면 운영자에게 허용을 요청해 주세요.'),
  notFound: again('받는 서버의 이름을 찾지 못했습니다. 주소가 맞는지 확인해 주세요.'),
  certificate: again('받는 서버의 인증서를 확인할 수 없습니다. 인증서를 확인해 주세요.'),
  timeout: again('받는 서버가 제때 답하지 않았습니다. 잠시 뒤 다시 보냅니다.'),
  cut: again('받는 서버에 연결하지 못했거나 답을 받지 못했습니다. 잠시 뒤 다시 보냅니다.'),
}

export const unansweredOutcome = (cause: NoReply): Sent => NO_REPLY[cause]

const MOVED = '받는 서버가 다른 주소로 넘깁니다. 넘어간 주소를 다시 등록해 주세요.'

/** What every status means alike; null: it is the receiver's own matter. */
export function outcomeOfStatus({ status, retryAfter }: Reply, now: number): Sent | null {
  if (status >= 200 && status < 300) return SENT
  if (status >= 300 && status < 400) return dead(MOVED)
  const afterMs = retryAfterMs(retryAfter, now)
  if (status === 429) return again('너무 자주 보내 받는 서버가 미뤘습니다. 잠시 뒤 다시 보냅니다.', afterMs)
  if (status === 408 || status === 425 || status >= 500)
    return again(`받는 서버가 지금 받지 못합니다(${status}). 잠시 뒤 다시 보냅니다.`, afterMs)
  return null
}

/** The message may be at fault, not the address: it is not given up for that. */
export const refusedMessage = ({ status, retryAfter }: Reply, now: number): Sent =>
  again(
    `받는 서버가 이 알림을 거절했습니다(${status}). 계속되면 주소를 다시 등록해 주세요.`,
    retryAfterMs(retryAfter, now),
  )
