import { createDecipheriv } from 'node:crypto'
import type { Notice } from '../api-socket.ts'
import { ProtocolError } from '../errors.ts'
import { originalOdno, padOdno } from '../odno.ts'
import { NOTICE_FIELDS, NOTICE_FIELDS_OLD } from '../wire/channels.ts'
import { SIDE_CODE } from '../wire/codes.ts'

/** Far above every order's shares and every price, won. */
const MAX_NUMBER = 10_000_000_000
const CODE = /^[0-9A-Z]{6,12}$/

/** For messages: a broken frame must not make a long one. */
const shorten = (text: string): string => text.slice(0, 20)

/** Belongs to one registration on one socket; both are plain ASCII, neither hex nor base64. */
export interface NoticeKey {
  readonly key: string
  readonly iv: string
}

const KEY_BYTES = 32
const IV_BYTES = 16

/** Whether a key opens anything: AES-256 takes 32 bytes, and an initialisation vector of 16. */
export const isUsable = ({ key, iv }: NoticeKey): boolean =>
  Buffer.byteLength(key, 'latin1') === KEY_BYTES && Buffer.byteLength(iv, 'latin1') === IV_BYTES

/** AES-256-CBC, PKCS#7, base64 around it, UTF-8 inside. */
export function decryptNotice(base64: string, { key, iv }: NoticeKey): string {
  try {
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'latin1'), Buffer.from(iv, 'latin1'))
    return Buffer.concat([decipher.update(Buffer.from(base64, 'base64')), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new ProtocolError('notice: cannot be decrypted with the key of this registration', null, error)
  }
}

/** Today's notices have 26 fields, older ones 23; the ones read here stand at the same places in both. */
export function readNotices(plain: string, count: number): Notice[] {
  const values = plain.split('^')
  const fields = values.length / count
  if (fields !== NOTICE_FIELDS_OLD.length && !(Number.isInteger(fields) && fields >= NOTICE_FIELDS.length)) {
    throw new ProtocolError(`notice: ${values.length} fields for ${count} records`)
  }
  return Array.from({ length: count }, (_, i) => toNotice(values.slice(i * fields, (i + 1) * fields)))
}

function toNotice(values: readonly string[]): Notice {
  const field = (name: (typeof NOTICE_FIELDS)[number]): string => (values[NOTICE_FIELDS.indexOf(name)] ?? '').trim()
  const odno = field('ODER_NO')
  const side = field('SELN_BYOV_CLS')
  const code = field('STCK_SHRN_ISCD')
  if (!/^\d{1,10}$/.test(odno) || !CODE.test(code) || (side !== SIDE_CODE.sell && side !== SIDE_CODE.buy)) {
    throw new ProtocolError(`notice: order number "${shorten(odno)}", code "${shorten(code)}", side "${shorten(side)}"`)
  }
  return {
    accountNumber: field('ACNT_NO'),
    odno: padOdno(odno),
    originalOdno: originalOdno(field('OODER_NO')),
    code,
    side: side === SIDE_CODE.buy ? 'buy' : 'sell',
    kind: kindOf(field('RFUS_YN'), field('CNTG_YN'), field('ACPT_YN'), field('RCTF_CLS')),
    // The order's count and price on receipts, this fill's on fills: idx 13 (CNTG_YN) decides, never the numbers.
    count: numberOf(field('CNTG_QTY')),
    price: numberOf(field('CNTG_UNPR')),
  }
}

function kindOf(refused: string, filled: string, accepted: string, revised: string): Notice['kind'] {
  if (refused === '1' || refused === 'Y') return 'rejected'
  if (filled === '2') return 'filled'
  if (filled === '1' && accepted === '3') return 'iocCancelled'
  const change = revised === '1' || revised === '2'
  if (filled === '1' && accepted === '2') return change ? 'changeConfirmed' : 'accepted'
  if (filled === '1' && accepted === '1') return change ? 'changeReceived' : 'accepted'
  throw new ProtocolError(`notice: CNTG_YN "${shorten(filled)}", ACPT_YN "${shorten(accepted)}"`)
}

function numberOf(text: string): number {
  const number = text === '(null)' ? 0 : Number(text)
  if (!/^(\d*|\(null\))$/.test(text) || number > MAX_NUMBER) {
    throw new ProtocolError(`notice: "${shorten(text)}" is no count or price`)
  }
  return number
}
