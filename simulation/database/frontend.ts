/** Length of the first message and of every later one counts itself. */
const LENGTH_BYTES = 4
const HEAD_BYTES = 5

export const CANCEL_REQUEST = 80_877_102
export const SSL_REQUEST = 80_877_103
export const GSS_REQUEST = 80_877_104

/** A message of a client. `type` is its letter; empty for the first ones, which have none. `body` is what follows the length. */
export interface Message {
  readonly type: string
  readonly body: Buffer
}

/** Cuts the bytes of one client into messages, however they arrive. */
export class FrontendReader {
  #rest: Buffer = Buffer.alloc(0)
  #started = false

  /** The messages from here on have types. */
  started(): void {
    this.#started = true
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
  }

  next(): Message | null {
    const head = this.#started ? HEAD_BYTES : LENGTH_BYTES
    if (this.#rest.length < head) return null
    const end = head - LENGTH_BYTES + this.#rest.readUInt32BE(head - LENGTH_BYTES)
    if (this.#rest.length < end) return null
    const type = this.#started ? String.fromCharCode(this.#rest.readUInt8(0)) : ''
    const message = { type, body: this.#rest.subarray(head, end) }
    this.#rest = this.#rest.subarray(end)
    return message
  }
}

/** Reads the fields of one message. */
export class FieldReader {
  readonly #body: Buffer
  #at = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  text(): string {
    const end = this.#body.indexOf(0, this.#at)
    const text = this.#body.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  int16(): number {
    this.#at += 2
    return this.#body.readInt16BE(this.#at - 2)
  }

  int32(): number {
    this.#at += 4
    return this.#body.readInt32BE(this.#at - 4)
  }

  bytes(length: number): Buffer {
    this.#at += length
    return this.#body.subarray(this.#at - length, this.#at)
  }

  rest(): Buffer {
    return this.#body.subarray(this.#at)
  }
}

/** A message as a client writes it. */
export function frontend(type: string, ...fields: readonly (string | number | Uint8Array)[]): Buffer {
  const parts = fields.map((field) => {
    if (typeof field === 'string') return Buffer.from(`${field}\0`)
    return typeof field === 'number' ? Buffer.from([field >> 8, field & 255]) : field
  })
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(type, 'latin1')
  head.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, LENGTH_BYTES),
    1,
  )
  return Buffer.concat([head, ...parts])
}

export const SYNC = frontend('S')
export const simpleQuery = (sql: string): Buffer => frontend('Q', sql)

/** What a client binds to a parameter: text, or bytes of the type's binary form. */
export type Value = string | Buffer | null

export function boundValues(bind: Buffer): Value[] {
  const reader = new FieldReader(bind)
  reader.text()
  reader.text()
  const formats = Array.from({ length: reader.int16() }, () => reader.int16())
  return Array.from({ length: reader.int16() }, (_, index) => {
    const length = reader.int32()
    if (length < 0) return null
    const format = formats.length === 1 ? formats[0] : formats[index]
    const bytes = reader.bytes(length)
    return format === 1 ? Buffer.from(bytes) : bytes.toString('utf8')
  })
}
