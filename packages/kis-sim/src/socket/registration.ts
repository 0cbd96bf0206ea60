import { CHANNELS, MAX_REGISTRATIONS, SOCKET, TR_TYPE } from '@digger/kis'
import { z } from 'zod'
import type { Account } from '../ledger/account.ts'
import type { Keys } from '../rest/keys.ts'
import type { Broker } from '../broker/broker.ts'
import { slot, type Registration, type Session } from './session.ts'

const { tick, book, notice, operation } = CHANNELS
/** Channels that acknowledge and stay silent: expected prices, and the off-hours channels of a market that was abolished. */
const SILENT: readonly string[] = ['H0STANC0', 'H0NXANC0', 'H0UNANC0', 'H0STOUP0', 'H0STOAA0', 'H0STOAC0']
const REAL: readonly string[] = [
  ...Object.values(tick),
  ...Object.values(book),
  ...Object.values(operation),
  notice.real,
  ...SILENT,
]
const PAPER: readonly string[] = [tick.KRX, book.KRX, notice.paper]

const isNotice = (trId: string): boolean => trId === notice.real || trId === notice.paper

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const HEX = '0123456789abcdef'

/** Who holds which app key, and who registered what, over all sessions. */
interface KeyHolders {
  /** Returns false when another socket holds the key. */
  claim(session: Session, account: Account): boolean
  added(session: Session, registration: Registration): void
  removed(session: Session, registration: Registration): void
}

const Message = z.object({
  header: z.record(z.string(), z.string()),
  body: z.object({ input: z.object({ tr_id: z.string(), tr_key: z.string() }).partial() }).optional(),
})

interface RegistrationRequest {
  readonly approval: string
  readonly type: string
  readonly customer: string
  readonly trId: string
  readonly key: string
}

/** Answers one control message of a client: the text to send back, or null for none. */
export function replyTo(raw: string, session: Session, broker: Broker, keys: Keys, holders: KeyHolders): string | null {
  const request = read(raw)
  if (request === 'ping') return null
  if (!request) return ack('(null)', '', '1', 'OPSP8999', 'INVALID JSON')
  const { trId, key } = request
  const refuse = (code: string, text: string): string => ack(trId, key, '1', code, text)

  const account = keys.approved(request.approval)
  if (!account) return refuse(SOCKET.badApproval, 'invalid approval : NOT FOUND')
  if (request.type !== TR_TYPE.register && request.type !== TR_TYPE.unregister)
    return refuse('OPSP8997', 'INVALID tr_type')
  if (request.customer !== 'P' && request.customer !== 'B') return refuse('OPSP8998', 'INVALID custtype')
  if (!(account.env === 'real' ? REAL : PAPER).includes(trId)) return refuse(SOCKET.badTrId, 'INVALID tr_id')
  if (isNotice(trId) && key !== account.spec.credentials.htsId) {
    return ack('(null)', key, '9', 'OPSP0007', 'ERROR : htsid가잘못되었습니다')
  }
  const known = session.registrations.get(slot(trId, key))
  if (request.type === TR_TYPE.unregister) {
    if (!known) return refuse(SOCKET.notRegistered, 'UNSUBSCRIBE ERROR(not found!)')
    holders.removed(session, known)
    return ack(trId, key, '0', SOCKET.unregistered, 'UNSUBSCRIBE SUCCESS')
  }
  if (!holders.claim(session, account)) return ack('(null)', '', '9', SOCKET.inUse, 'ALREADY IN USE appkey')
  if (known) return refuse(SOCKET.alreadyRegistered, 'ALREADY IN SUBSCRIBE')
  if (broker.limits === 'enforced' && session.registrations.size >= MAX_REGISTRATIONS) {
    return refuse(SOCKET.tooMany, 'MAX SUBSCRIBE OVER')
  }
  const registration = { trId, key, iv: broker.dice.text(16, HEX), secret: broker.dice.text(32, LOWER) }
  holders.added(session, registration)
  const isSealed = isNotice(trId) && broker.assumed.decide('noticeKey') === 'absent'
  const output = isSealed ? undefined : { iv: registration.iv, key: registration.secret }
  return ack(trId, key, '0', SOCKET.registered, 'SUBSCRIBE SUCCESS', output)
}

function read(raw: string): RegistrationRequest | 'ping' | null {
  try {
    const { header, body } = Message.parse(JSON.parse(raw))
    if (header['tr_id'] === 'PINGPONG') return 'ping'
    const { tr_id: trId, tr_key: key } = body?.input ?? {}
    if (trId === undefined || key === undefined) return null
    return {
      approval: header['approval_key'] ?? '',
      type: header['tr_type'] ?? '',
      customer: header['custtype'] ?? '',
      trId,
      key: key.trim(),
    }
  } catch {
    return null
  }
}

/** Notices are announced as encrypted; the broker's client decrypts only then. */
function ack(trId: string, key: string, rt: string, code: string, text: string, output?: object): string {
  const header = { tr_id: trId, tr_key: key, encrypt: isNotice(trId) ? 'Y' : 'N' }
  return JSON.stringify({ header, body: { rt_cd: rt, msg_cd: code, msg1: text, ...(output && { output }) } })
}
