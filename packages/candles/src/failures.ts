import { NotOfferedError, ProtocolError } from '@digger/kis'

export interface Pause {
  /** For people; null: it goes on by itself, and nothing is to be done. */
  readonly note: string | null
  /** Tried again so much later, ms. */
  readonly ms: number
}

const MINUTE_MS = 60_000
const NOT_OFFERED =
  '모의투자 서버는 지난 분봉을 주지 않습니다. 실전 키를 연결하거나 분봉 파일을 가져오면 여기에 쌓입니다.'
const UNREADABLE = '증권사의 답을 읽을 수 없었습니다. 1시간 뒤 다시 해 봅니다. 계속되면 서버 로그를 봐 주세요.'
const REFUSED = '증권사가 지난 시세를 주지 않았습니다. 10분 뒤 다시 해 봅니다.'

/**
 * How long nothing at all is asked after so many failures in a row, ms: where one series fails for the broker's sake, the next one would
 * as well.
 */
export const restAfter = (failures: number): number => Math.min(5 * MINUTE_MS, (MINUTE_MS / 2) * 2 ** failures)

/** How long a series waits after its reading failed, and what people see meanwhile. */
export function pauseAfter(error: unknown): Pause {
  if (error instanceof NotOfferedError) return { note: NOT_OFFERED, ms: 24 * 60 * MINUTE_MS }
  if (error instanceof ProtocolError) return { note: UNREADABLE, ms: 60 * MINUTE_MS }
  return { note: REFUSED, ms: 10 * MINUTE_MS }
}
