import { createCipheriv } from 'node:crypto'
import { isControl, readHead } from '../src/decode/frame.ts'
import { decryptNotice, readNotices } from '../src/decode/notice.ts'
import { TickDecoder } from '../src/decode/tick.ts'
import { ProtocolError } from '../src/errors.ts'
import type { Notice, Tick } from '../src/api-socket.ts'
import { readControl } from '../src/socket/control.ts'

/**
 * Rubbish for the broker's socket, made from frames that are right. On its own it feeds the decoders:
 * `node packages/kis/test/socket-fuzz.ts [seed] [count]`
 */
export const KEY = { key: 'kq3n7v0c9x2m5b8w1z4t6y0r2p5s8d1f', iv: '9f1c3a5e7b2d4068' }
const RECORD =
  '005930^093354^70500^2^500^0.71^70352.69^70100^70800^69900^70500^70400^12^11540^811870000^812^1033^221^118.42^5210^6170^1^0.54^37.20^090011^2^400^091502^5^-300^090440^2^600^20261116^20^N^4120^2875^118300^96450^0.19^10400^110.96^0^^70000^2'
const FILL =
  'tester01^1234567801^0000012345^^02^0^00^0^005930^0000000004^000069900^093401^0^2^2^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000070000'

/** mulberry32: the same seed makes the same rubbish. */
export class Rubbish {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }

  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }

  #bytes(): Buffer {
    return Buffer.from(Array.from({ length: this.below(300) }, () => this.below(256)))
  }

  #encrypted(plain: string): string {
    const cipher = createCipheriv('aes-256-cbc', KEY.key, KEY.iv)
    return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('base64')
  }

  #oddField(record: string): string {
    const values = record.split('^')
    values[this.below(values.length)] = this.#pick(ODD)
    return values.join('^')
  }

  #data(): string {
    const tick = this.below(2) === 0
    const trId = this.#pick(tick ? ['H0STCNT0', 'H0NXCNT0', 'H0UNCNT0'] : ['H0STCNI0', 'H0STCNI9', 'H0STXXX0', ''])
    const records = 1 + this.below(4)
    const one = (): string => (this.below(3) === 0 ? this.#oddField(tick ? RECORD : FILL) : tick ? RECORD : FILL)
    const body = Array.from({ length: records }, one).join('^')
    const count = this.#pick([String(records).padStart(3, '0'), String(records), ...COUNTS])
    if (tick) return `0|${trId}|${count}|${body}`
    const sealed = this.below(2) === 0
    return `${sealed ? 1 : 0}|${trId}|${count}|${sealed ? this.#encrypted(body) : body}`
  }

  frame(): Buffer {
    const kind = this.below(5)
    if (kind === 0) return this.#bytes()
    if (kind === 1) return Buffer.from(this.#pick(CONTROLS))
    const frame = Buffer.from(kind === 2 ? this.#pick(CONTROLS) : this.#data())
    // Whole, cut, or with some bytes changed.
    const what = this.below(4)
    if (what === 0) return frame.subarray(0, this.below(frame.length + 1))
    for (let n = what === 1 ? 1 + this.below(4) : 0; n > 0; n -= 1) {
      frame[this.below(frame.length)] = this.#pick([0, 10, 48, 57, 94, 124, 123, 125, 255, this.below(256)])
    }
    return frame
  }
}

const ODD = [
  '',
  ' ',
  '-',
  '+',
  '-1',
  '-70500',
  '0.5',
  '1e9',
  '1e400',
  '0x10',
  'NaN',
  'Infinity',
  '(null)',
  '\0',
  '|',
  '{}',
  '9'.repeat(17),
  '9'.repeat(400),
  '-'.repeat(40),
  '가나다',
  'A'.repeat(5_000),
]
const COUNTS = ['000', '0', '9999', '10000', '999999999999', '-1', '1e3', '', ' 1', '0x1']
const ack = (header: unknown, body: unknown): string => JSON.stringify({ header, body })
const CONTROLS: readonly string[] = [
  '{',
  '{}',
  '{"header":null}',
  '{"header":[]}',
  '{"header":{}}',
  '{"header":{"tr_id":1}}',
  '{'.repeat(2_000),
  `{"header":${'['.repeat(3_000)}`,
  '{"__proto__":{"tr_id":"x"},"header":{"tr_id":"__proto__","tr_key":"constructor"},"body":{}}',
  ack({ tr_id: 'PINGPONG', datetime: '99999999999999' }, undefined),
  ack({ tr_id: 'PINGPONG', datetime: '20261399250000' }, undefined),
  ack({ tr_id: 'PINGPONG', datetime: {} }, undefined),
  ack({ tr_id: 'PINGPONG', datetime: '1'.repeat(2_000) }, undefined),
  ack({ tr_id: 'H0STCNT0', tr_key: '005930' }, { rt_cd: 0, msg_cd: 5 }),
  ack({ tr_id: 'H0STCNT0', tr_key: '999999' }, { rt_cd: '1', msg_cd: 'OPSP0008', msg1: 'x'.repeat(5_000) }),
  ack({ tr_id: 'H0STCNT0', tr_key: '005930' }, { rt_cd: '0', msg_cd: 'OPSP0000', output: { iv: 1, key: null } }),
  ack({ tr_id: 'x'.repeat(5_000), tr_key: '\0' }, { rt_cd: '1' }),
]

/** What no market and no broker could have meant. */
export function absurd(tick: Tick): boolean {
  const amounts = [tick.price, tick.open, tick.high, tick.low, Math.abs(tick.base) / 10]
  if (!amounts.every((amount) => amount >= 0 && amount <= 1e9)) return true
  return !/^[0-9A-Z]{6,7}$/.test(tick.code) || !(tick.volume >= 0 && tick.volume <= 1e12) || !(tick.time <= 999_999)
}

export const absurdNotice = ({ odno, code, count, price }: Notice): boolean =>
  !/^\d{10}$/.test(odno) || !/^[0-9A-Z]{6,12}$/.test(code) || ![count, price].every((n) => n >= 0 && n <= 1e10)

/** One frame through the decoders, as the socket would have it. Throws what the socket would not survive. */
export function decodeOne(decoder: TickDecoder, frame: Buffer): 'ticks' | 'control' | 'notices' | 'refused' {
  try {
    const ticks = decoder.decode(frame)
    if (ticks?.some(absurd) === true) throw new Error(`absurd tick from ${frame.toString('latin1', 0, 200)}`)
    if (ticks !== null) return 'ticks'
    if (isControl(frame)) {
      const control = readControl(frame.toString('utf8'))
      if (control.kind === 'pingPong' && control.at > Date.UTC(10_000, 0)) throw new Error('absurd time')
      return 'control'
    }
    const head = readHead(frame)
    const payload = frame.toString('utf8', head.start)
    const notices = readNotices(head.encrypted ? decryptNotice(payload, KEY) : payload, head.count)
    if (notices.some(absurdNotice)) throw new Error(`absurd notice from ${frame.toString('utf8', 0, 200)}`)
    return 'notices'
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (error.message.length > 300) throw new Error(`a message of ${error.message.length} characters`, { cause: error })
    return 'refused'
  }
}

if (import.meta.main) {
  const [seed = 1, count = 1_000_000] = process.argv.slice(2).map(Number)
  const rubbish = new Rubbish(seed)
  const decoder = new TickDecoder()
  const began = performance.now()
  for (let n = 0; n < count; n += 1) decodeOne(decoder, rubbish.frame())
  const took = ((performance.now() - began) / 1_000).toFixed(1)
  process.stdout.write(
    `seed ${seed}: ${count} frames in ${took} s, nothing wrong; ${process.memoryUsage().rss >> 20} MB\n`,
  )
}
