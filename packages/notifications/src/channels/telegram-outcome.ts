import { GrammyError } from 'grammy'
import { again, dead, type Sent } from './channel.ts'
import { secondsToWaitMs } from './retry-after.ts'

const BLOCKED = '텔레그램에서 봇이 차단되었거나 대화방에서 나갔습니다. 받으려면 봇과 다시 연결해 주세요.'
const NO_CHAT = '텔레그램 대화방을 찾을 수 없습니다. 봇과 다시 연결해 주세요.'
const MOVED = '텔레그램 그룹이 슈퍼그룹으로 바뀌었습니다. 봇과 다시 연결해 주세요.'
const BAD_TOKEN = '텔레그램이 봇 토큰을 받지 않습니다. 운영자가 봇 토큰을 확인해야 합니다.'
const OTHER_READER = '다른 프로그램이 같은 봇의 메시지를 받아 갑니다. 운영자가 그 프로그램이나 웹훅을 꺼야 합니다.'
const TOO_OFTEN = '너무 자주 보내 텔레그램이 미뤘습니다. 잠시 뒤 다시 시도합니다.'
const UNREACHABLE = '텔레그램에 연결하지 못했거나 답을 받지 못했습니다. 잠시 뒤 다시 시도합니다.'

/** As the Bot API words them under 400 (https://core.telegram.org/bots/api#making-requests names no codes of its own). */
const SAYS_NO_CHAT =
  /chat not found|user not found|user is deactivated|group is deactivated|peer_id_invalid|not enough rights|have no rights|chat_write_forbidden/i

/** The error itself is never shown: below it is the address of the call, with the token in it. */
export function telegramOutcome(error: unknown): Sent {
  if (!(error instanceof GrammyError)) return again(UNREACHABLE)
  const { error_code: code, description, parameters } = error
  if (code === 429) return again(TOO_OFTEN, secondsToWaitMs(Number(parameters.retry_after)))
  if (code === 403) return dead(BLOCKED)
  // A token that was never one gives 404.
  if (code === 401 || code === 404) return again(BAD_TOKEN)
  if (code === 409) return again(OTHER_READER)
  if (code === 400 && (parameters.migrate_to_chat_id !== undefined || /upgraded to a supergroup/i.test(description)))
    return dead(MOVED)
  if (code === 400 && SAYS_NO_CHAT.test(description)) return dead(NO_CHAT)
  if (typeof code !== 'number' || code >= 500) return again(UNREACHABLE)
  return again(`텔레그램이 이 알림을 거절했습니다(${code}). 계속되면 봇과 다시 연결해 주세요.`)
}
