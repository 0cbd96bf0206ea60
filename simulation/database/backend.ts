import { FieldReader } from './frontend.ts'

const HEAD_BYTES = 5
const TEXT_FORMAT = 0
const [COMMAND_COMPLETE, ERROR, READY_FOR_QUERY] = Buffer.from('CEZ')

/** A message as the database writes it. Texts end with a zero byte, numbers are 16 bits. */
export function backend(type: string, ...fields: readonly (string | Uint8Array)[]): Buffer {
  const parts = fields.map((field) => (typeof field === 'string' ? Buffer.from(`${field}\0`) : field))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(type, 'latin1')
  head.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, HEAD_BYTES - 1),
    1,
  )
  return Buffer.concat([head, ...parts])
}

export function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 4 * index)
  return bytes
}

export function int16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt16BE(value, 2 * index)
  return bytes
}

export const PARSE_COMPLETE = backend('1')
export const BIND_COMPLETE = backend('2')

/** Idle, in a transaction, or in one that failed. */
export type Status = 'I' | 'T' | 'E'

const READY: Readonly<Record<Status, Buffer>> = {
  I: backend('Z', Buffer.from('I')),
  T: backend('Z', Buffer.from('T')),
  E: backend('Z', Buffer.from('E')),
}
export const ready = (status: Status): Buffer => READY[status]

/** An error as PostgreSQL reports it. `code` is its SQLSTATE. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly severity?: 'ERROR' | 'FATAL'
}

export function errorResponse({ code, message, severity = 'ERROR' }: Refusal): Buffer {
  return backend('E', `S${severity}`, `V${severity}`, `C${code}`, `M${message}`, Buffer.from([0]))
}

/** A column of an answer that the model makes itself. */
export interface Column {
  readonly name: string
  /** Number of its type in PostgreSQL's catalogue, and bytes of one value (-1: of any length). */
  readonly type: number
  readonly size: number
}

export function rowDescription(columns: readonly Column[]): Buffer {
  return backend(
    'T',
    int16(columns.length),
    ...columns.flatMap(({ name, type, size }) => [
      name,
      int32(0),
      int16(0),
      int32(type),
      int16(size),
      int32(-1),
      int16(TEXT_FORMAT),
    ]),
  )
}

export function dataRow(values: readonly (string | null)[]): Buffer {
  const fields = values.map((value) => (value === null ? int32(-1) : sized(Buffer.from(value))))
  return backend('D', int16(values.length), ...fields)
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes])

/** What an answer of the engine says about the statements in it. */
export interface Outcome {
  readonly tags: readonly string[]
  /** SQLSTATE of the error in it. */
  readonly code: string | null
  readonly status: Status
}

/** Throws when the engine itself is broken: nothing that the simulation shows from then on would be true. */
export function outcomeOf(answer: Buffer): Outcome {
  const tags: string[] = []
  let code: string | null = null
  let status: Status | null = null
  // Most of an answer is rows, which say nothing about it: only the other messages are taken out.
  for (let at = 0, end = 0; at + HEAD_BYTES <= answer.length; at = end) {
    end = at + 1 + answer.readUInt32BE(at + 1)
    const type = answer[at]
    if (type === COMMAND_COMPLETE) tags.push(answer.toString('utf8', at + HEAD_BYTES, end - 1))
    if (type === ERROR) code ??= codeOf(answer.subarray(at + HEAD_BYTES, end))
    if (type === READY_FOR_QUERY) status = statusOf(answer.subarray(at + HEAD_BYTES, end))
  }
  if (status === null) throw new Error('the engine of the database model gave no answer')
  return { tags, code, status }
}

function codeOf(error: Buffer): string {
  const fields = errorFields(error)
  if (fields.get('V') !== 'ERROR') throw new Error(`the engine of the database model: ${fields.get('M')}`)
  return fields.get('C') ?? ''
}

const statusOf = (body: Buffer): Status => {
  const letter = body.toString('latin1')
  return letter === 'T' || letter === 'E' ? letter : 'I'
}

/** Of an error as a whole message. */
export const sqlstateOf = (refusal: Buffer): string => errorFields(refusal.subarray(HEAD_BYTES)).get('C') ?? ''

export const messageOf = (refusal: Buffer): string => errorFields(refusal.subarray(HEAD_BYTES)).get('M') ?? ''

export function errorFields(body: Buffer): Map<string, string> {
  const fields = body.toString('utf8').split('\0')
  return new Map(fields.map((field) => [field.slice(0, 1), field.slice(1)]))
}

export function* messagesOf(answer: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0; at + HEAD_BYTES <= answer.length; at += 1 + answer.readUInt32BE(at + 1)) {
    const end = at + 1 + answer.readUInt32BE(at + 1)
    yield { type: String.fromCharCode(answer.readUInt8(at)), body: answer.subarray(at + HEAD_BYTES, end) }
  }
}

/** Names and types of the columns that a row description tells. */
export function columnsOf(body: Buffer): { name: string; type: number }[] {
  const reader = new FieldReader(body)
  return Array.from({ length: reader.int16() }, () => {
    const name = reader.text()
    reader.bytes(6)
    const type = reader.int32()
    reader.bytes(8)
    return { name, type }
  })
}

export function valuesOf(body: Buffer): (string | null)[] {
  const reader = new FieldReader(body)
  return Array.from({ length: reader.int16() }, () => {
    const length = reader.int32()
    return length < 0 ? null : reader.bytes(length).toString('utf8')
  })
}
