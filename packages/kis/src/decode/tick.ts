import type { Tick } from '../api-socket.ts'
import { ProtocolError } from '../errors.ts'
import { TICK_FIELDS, TICK_FIELDS_OLD_COUNT } from '../wire/channels.ts'

const CARET = 0x5e
const BAR = 0x7c
const ZERO = 0x30
const MINUS = 0x2d
const YES = 0x59
/** HOUR_CLS_CODE C: an expected price after 09:00. */
const COLLECTS = 0x43

const index = (name: (typeof TICK_FIELDS)[number]): number => TICK_FIELDS.indexOf(name)

/** The numbers a tick is made of, in wire order; the first follows the code. */
const NUMBERS = ['STCK_CNTG_HOUR', 'STCK_PRPR', 'PRDY_VRSS', 'STCK_OPRC', 'STCK_HGPR', 'STCK_LWPR', 'ACML_VOL'] as const
/** Fields passed over before each of them. */
const SKIPS = NUMBERS.map((name, i) => index(name) - index(NUMBERS[i - 1] ?? 'MKSC_SHRN_ISCD') - 1)
const TO_HALTED = index('TRHT_YN') - index('ACML_VOL') - 1
const TO_HOUR_CLASS = index('HOUR_CLS_CODE') - index('TRHT_YN') - 1
/** Fields up to and including HOUR_CLS_CODE. */
const FIELDS_READ = index('HOUR_CLS_CODE') + 1

const CODE = /^[0-9A-Z]{6,7}$/

/** Far above every price of this market, won, and every count of shares a day. */
const MAX_PRICE = 1_000_000_000
const MAX_SHARES = 1_000_000_000_000
const isPrice = (value: number): boolean => value >= 0 && value <= MAX_PRICE

/** A tick that no market could have sent is a frame misread. */
const isPlausible = ({ code, price, base, open, high, low, volume, time }: Tick): boolean =>
  code !== '' &&
  isPrice(price) &&
  // The base is price − change, and a change may come without a price: it may be below zero.
  Math.abs(base) <= 10 * MAX_PRICE &&
  isPrice(open) &&
  isPrice(high) &&
  isPrice(low) &&
  volume >= 0 &&
  volume <= MAX_SHARES &&
  time >= 0 &&
  time <= 999_999

/**
 * Turns frames of the tick channels into ticks by walking their bytes once: no string of a frame is ever made.
 * A frame does not say how many fields a record has (46 before 2026-09-14, 47 since), only how many records there are.
 * The count of the last frame is tried first and proven by ending exactly at the frame's end.
 */
export class TickDecoder {
  #fields: number = TICK_FIELDS.length
  /** The memory the last frame lay in; frames that arrive together share theirs. */
  #memory: ArrayBufferLike | null = null
  #view: DataView = new DataView(new ArrayBuffer(0))
  readonly #numbers: number[] = NUMBERS.map(() => 0)
  #end = 0
  readonly #codes = new CodeCache()

  /** Null when the frame is not a plain tick frame; throws `ProtocolError` when it is one that cannot be trusted. */
  decode(frame: Uint8Array): Tick[] | null {
    const venue = tickVenue(frame)
    if (venue === null) return null
    const memory = frame.buffer
    if (this.#memory !== memory) {
      this.#memory = memory
      this.#view = new DataView(memory)
    }
    let at = 11
    let count = 0
    for (let byte = frame[at]; byte !== BAR; byte = frame[at]) {
      if (byte === undefined || byte < ZERO || byte > ZERO + 9) throw new ProtocolError('tick frame: record count')
      count = count * 10 + byte - ZERO
      at += 1
    }
    if (count < 1 || count > 9_999) throw new ProtocolError(`tick frame: ${count} records`)
    // A separator for every field at least: thousands of records announced in a short frame are not looked for.
    if (frame.length - at < count * FIELDS_READ) throw new ProtocolError(`tick frame: too short for ${count} records`)
    return this.#records(frame, at + 1, count, venue)
  }

  #records(frame: Uint8Array, start: number, count: number, venue: Tick['venue']): Tick[] {
    const guessed = this.#read(frame, start, count, this.#fields, venue)
    if (guessed !== null) return guessed
    // No field holds a bar: behind it stands a second frame, whose ticks would be lost as unknown fields of this one.
    if (frame.includes(BAR, start)) throw new ProtocolError('tick frame: two frames in one message')
    const total = countFields(frame, start)
    const fields = total / count
    if (!Number.isInteger(fields) || fields < TICK_FIELDS_OLD_COUNT) {
      throw new ProtocolError(`tick frame: ${total} fields for ${count} records`)
    }
    const ticks = this.#read(frame, start, count, fields, venue)
    if (ticks === null) throw new ProtocolError('tick frame: a code, price or count that cannot be')
    this.#fields = fields
    return ticks
  }

  /** Null when the records do not end with the frame, or a price is unreadable. */
  #read(frame: Uint8Array, start: number, count: number, fields: number, venue: Tick['venue']): Tick[] | null {
    const tail = fields - FIELDS_READ
    const view = this.#view
    let tick = this.#tick(frame, start, venue)
    let at = skipMany(frame, view, this.#end, tail)
    let readable = isPlausible(tick)
    // Most frames carry one record: an array of exactly that, without room to grow, is the cheapest.
    const ticks = [tick]
    for (let record = 1; record < count; record += 1) {
      tick = this.#tick(frame, at, venue)
      at = skipMany(frame, view, this.#end, tail)
      readable &&= isPlausible(tick)
      ticks.push(tick)
    }
    return readable && at === frame.length + 1 ? ticks : null
  }

  /** Field by field in wire order; leaves the offset after HOUR_CLS_CODE in `#end`. */
  #tick(frame: Uint8Array, start: number, venue: Tick['venue']): Tick {
    // What equals a code of six characters holds no separator: it need not be looked for.
    let code = frame[start + 6] === CARET ? this.#codes.find(frame, start) : ''
    const codeEnd = code === '' ? skip(frame, start, 1) : start + 7
    if (code === '') code = this.#newCode(frame, start, codeEnd - 1)
    const numbers = this.#numbers
    const view = this.#view
    const haltedAt = skipMany(frame, view, readNumbers(frame, codeEnd, numbers), TO_HALTED)
    const hourAt = skipMany(frame, view, haltedAt, TO_HOUR_CLASS + 1)
    const isSingleLetter = frame[hourAt] !== CARET && frame[hourAt + 1] === CARET
    this.#end = isSingleLetter ? hourAt + 2 : skip(frame, hourAt, 1)
    const price = numbers[1] ?? 0
    return {
      code,
      venue,
      price,
      time: numbers[0] || 0,
      open: numbers[3] || 0,
      high: numbers[4] || 0,
      low: numbers[5] || 0,
      volume: numbers[6] || 0,
      base: price - (numbers[2] || 0),
      // Anything but a lone "0" is an expected price: of an auction, before the open, or of a volatility interruption.
      trade: frame[hourAt] === ZERO && this.#end === hourAt + 2 && price > 0,
      collects: frame[hourAt] === COLLECTS && isSingleLetter,
      halted: frame[haltedAt] === YES,
    }
  }

  #newCode(frame: Uint8Array, from: number, to: number): string {
    const code = textOf(frame, from, to).trim()
    if (!CODE.test(code)) return ''
    if (to - from === 6 && code.length === 6) this.#codes.add(frame, from, code)
    return code
  }
}

/** The offset that stands for a frame that is too short: so far out that no later step comes back to the end. */
const PAST_END = 1_000_000_000

/** Offset after the next `fields` separators. The end of the frame closes its last field: length + 1. */
function skip(frame: Uint8Array, from: number, fields: number): number {
  const end = frame.length
  let left = fields
  for (let at = from; at < end; at += 1) {
    if (frame[at] !== CARET) continue
    left -= 1
    if (left === 0) return at + 1
  }
  return from <= end && left === 1 ? end + 1 : PAST_END
}

/**
 * `skip` over many fields, four bytes at a time: separators come every few bytes at no regular distance, so a branch at
 * each of them is guessed wrong by the processor half of the time, and that is what costs.
 */
function skipMany(frame: Uint8Array, view: DataView, from: number, fields: number): number {
  const end = frame.length - 3
  const base = frame.byteOffset
  let left = fields
  let at = from
  for (; at < end; at += 4) {
    // Each byte that is a separator becomes zero, then 0x80, then 1; the product adds the four up in its highest byte.
    const zeroed = view.getUint32(base + at, true) ^ CARETS
    const found = ~(((zeroed & LOW_BITS) + LOW_BITS) | zeroed) & HIGH_BITS
    const separators = Math.imul(found >>> 7, 0x01010101) >>> 24
    if (separators >= left) break
    left -= separators
  }
  return skip(frame, at, left)
}
const CARETS = 0x5e5e5e5e
const LOW_BITS = 0x7f7f7f7f
const HIGH_BITS = 0x80808080

/**
 * Reads the wanted numbers, NaN where there is none, and returns the offset after the last.
 * One loop, because calls cost more than bytes here.
 */
function readNumbers(frame: Uint8Array, from: number, into: number[]): number {
  const end = frame.length
  let at = from
  for (let field = 0; field < SKIPS.length; field += 1) {
    let left = SKIPS[field] ?? 0
    for (; left > 0 && at < end; at += 1) if (frame[at] === CARET) left -= 1
    if (left > 0 || at > end) return PAST_END
    const start = at
    const negative = at < end && frame[at] === MINUS
    if (negative) at += 1
    const first = at
    let value = 0
    let digit = 0
    for (; at < end; at += 1) {
      // One comparison finds the digits: the separator and everything else lie above 9 or below 0.
      digit = (frame[at] ?? 0) - ZERO
      if (digit >>> 0 > 9) break
      value = value * 10 + digit
    }
    if (at === first || (at < end && digit !== CARET - ZERO)) {
      at = skip(frame, start, 1) - 1
      into[field] = unusualNumber(frame, start, at)
    } else {
      into[field] = negative ? -value : value
    }
    at += 1
  }
  return at
}

/** "(null)", blanks, a plus sign or decimals: rare, so this may be slow. */
function unusualNumber(frame: Uint8Array, from: number, to: number): number {
  const text = textOf(frame, from, to).trim()
  return text === '' ? Number.NaN : Number(text)
}

function countFields(frame: Uint8Array, start: number): number {
  let fields = 1
  for (let at = start; at < frame.length; at += 1) if (frame[at] === CARET) fields += 1
  return fields
}

/** `0|H0??CNT0|…`: ST is KRX, NX is NXT, UN both. */
function tickVenue(frame: Uint8Array): Tick['venue'] | null {
  if (frame[0] !== ZERO || frame[1] !== BAR || frame[2] !== 0x48 || frame[3] !== ZERO) return null
  if (frame[6] !== 0x43 || frame[7] !== 0x4e || frame[8] !== 0x54 || frame[9] !== ZERO || frame[10] !== BAR) return null
  if (frame[4] === 0x53 && frame[5] === 0x54) return 'KRX'
  if (frame[4] === 0x4e && frame[5] === 0x58) return 'NXT'
  return frame[4] === 0x55 && frame[5] === 0x4e ? 'UN' : null
}

const SLOTS = 1_024
const PROBES = 8

/** Codes come again and again: each six-byte code becomes a string once. A small hash table, probed in the next few slots. */
class CodeCache {
  readonly #heads = new Int32Array(SLOTS)
  readonly #tails = new Int32Array(SLOTS)
  readonly #codes: string[] = Array.from({ length: SLOTS }, () => '')

  /** The code in the next six bytes if it was added before, else an empty string. */
  find(frame: Uint8Array, from: number): string {
    const head = threeBytes(frame, from)
    const tail = threeBytes(frame, from + 3)
    const first = slotOf(head, tail)
    for (let probe = 0; probe < PROBES; probe += 1) {
      const slot = (first + probe) % SLOTS
      if (this.#heads[slot] === head && this.#tails[slot] === tail) return this.#codes[slot] ?? ''
      if (this.#heads[slot] === 0) return ''
    }
    return ''
  }

  /** Takes the first free slot, or else the place of another. */
  add(frame: Uint8Array, from: number, code: string): void {
    const head = threeBytes(frame, from)
    const tail = threeBytes(frame, from + 3)
    const first = slotOf(head, tail)
    let slot = first
    for (let probe = 0; probe < PROBES && this.#heads[slot] !== 0; probe += 1) slot = (first + probe) % SLOTS
    if (this.#heads[slot] !== 0) slot = first
    this.#heads[slot] = head
    this.#tails[slot] = tail
    this.#codes[slot] = code
  }
}

const threeBytes = (frame: Uint8Array, at: number): number =>
  ((frame[at] ?? 0) << 16) | ((frame[at + 1] ?? 0) << 8) | (frame[at + 2] ?? 0)
const slotOf = (head: number, tail: number): number => Math.imul(Math.imul(head, 31) + tail, 0x9e3779b1) >>> 22

/** At most 32 characters, so that a broken frame cannot make a long one. */
const textOf = (frame: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...frame.subarray(from, Math.min(to, from + 32)))
