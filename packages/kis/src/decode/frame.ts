import { ProtocolError } from '../errors.ts'

/** `<enc>|<TR_ID>|<count>|<payload>`; the payload is everything after the third bar. */
export interface FrameHead {
  readonly encrypted: boolean
  readonly trId: string
  /** Records in the payload, at least 1. */
  readonly count: number
  /** Offset of the payload. */
  readonly start: number
}

const BAR = 0x7c
const BRACE = 0x7b

/** `{…}` is a control message (acks and PINGPONG). */
export const isControl = (frame: Uint8Array): boolean => frame[0] === BRACE

/** Throws `ProtocolError` on anything that is not a data frame. */
export function readHead(frame: Buffer): FrameHead {
  const flag = frame[0]
  const trEnd = frame.indexOf(BAR, 2)
  const start = frame.indexOf(BAR, trEnd + 1) + 1
  if ((flag !== 0x30 && flag !== 0x31) || frame[1] !== BAR || trEnd < 3 || trEnd > 20 || start === 0) {
    throw new ProtocolError(`unreadable frame: ${frame.toString('latin1', 0, 24)}`)
  }
  let count = 0
  for (let i = trEnd + 1; i < start - 1; i += 1) {
    const digit = (frame[i] ?? 0) - 0x30
    if (digit < 0 || digit > 9) throw new ProtocolError(`unreadable record count: ${frame.toString('latin1', 0, 24)}`)
    count = count * 10 + digit
  }
  if (count < 1 || count > 9_999) throw new ProtocolError(`record count ${count}: ${frame.toString('latin1', 0, 24)}`)
  return { encrypted: flag === 0x31, trId: frame.toString('latin1', 2, trEnd), count, start }
}
