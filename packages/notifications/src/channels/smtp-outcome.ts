import { again, dead, type Sent } from './channel.ts'

const NO_MAILBOX = '메일 서버가 이 주소로는 보낼 수 없다고 합니다. 전자우편 주소를 확인해 다시 등록해 주세요.'
const MAILBOX_FULL = '받는 사람의 메일함이 가득 찼습니다. 메일함을 비워 주세요.'
const NOT_LOGGED_IN = '메일 서버가 로그인을 받지 않습니다. 운영자가 SMTP 사용자와 비밀번호를 확인해야 합니다.'
const NO_TLS = '메일 서버와 암호화 연결을 하지 못했습니다. 운영자가 메일 서버의 TLS 설정을 확인해야 합니다.'
const TOO_LATE = '메일 서버가 제때 답하지 않았습니다. 잠시 뒤 다시 보냅니다.'
const UNREACHABLE = '메일 서버에 연결하지 못했거나 답을 받지 못했습니다. 잠시 뒤 다시 보냅니다.'

/** What nodemailer adds to its errors. Message and response may hold what the server says about people: they are only compared. */
interface MailError {
  readonly code?: unknown
  readonly command?: unknown
  readonly message?: unknown
  readonly response?: unknown
  readonly responseCode?: unknown
}

const isMailError = (error: unknown): error is MailError => error instanceof Error

/** `550 5.7.1 …`: the second says why (RFC 3463). */
const ENHANCED_CODE = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/

export function smtpOutcome(error: unknown): Sent {
  const { code, command, message, response, responseCode } = isMailError(error) ? error : {}
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530 || responseCode === 535)
    return again(NOT_LOGGED_IN)
  if (code === 'ETLS' || (code === 'ESOCKET' && /certificate/i.test(String(message)))) return again(NO_TLS)
  if (code === 'ETIMEDOUT' || code === 'EABORT') return again(TOO_LATE)
  if (typeof responseCode !== 'number') return again(UNREACHABLE)
  const enhanced = ENHANCED_CODE.exec(String(response))?.[1] ?? ''
  if (/^[45]\.2\.2$/.test(enhanced) || responseCode === 552) return again(MAILBOX_FULL)
  const isRecipient = command === 'RCPT TO' && responseCode >= 500
  // x.7.x is policy: the server does not take it from this sender, which is no fault of whom it goes to.
  if (isRecipient && !enhanced.startsWith('5.7.')) return dead(NO_MAILBOX)
  const whose = responseCode < 500 ? '잠시 뒤 다시 보냅니다.' : '운영자가 메일 서버의 설정을 확인해야 합니다.'
  return again(`메일 서버가 지금 받지 않습니다(${responseCode}). ${whose}`)
}

export const BAD_MAIL_ADDRESS = dead('전자우편 주소를 읽을 수 없습니다. 주소를 다시 등록해 주세요.')
