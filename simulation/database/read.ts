import { columnsOf, errorFields, messagesOf, valuesOf } from './backend.ts'
import type { SqlEngine } from './engine.ts'
import { frontend, SYNC } from './frontend.ts'

export type Row = Record<string, unknown>

const BOOL = 16
const BYTEA = 17
const JSON_TYPES = new Set([114, 3_802])
/** int8, int2, int4, oid, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1_700])

/** Asks the engine beside all sessions. `statement` is the name of a prepared one. */
export function read(
  engine: SqlEngine,
  statement: string,
  values: readonly (string | number | boolean | null)[],
): Row[] {
  const bound = values.map((value) => (value === null ? null : Buffer.from(String(value))))
  const answer = engine.run(
    Buffer.concat([
      frontend(
        'B',
        '',
        statement,
        0,
        bound.length,
        ...bound.flatMap((value) => (value === null ? [Buffer.alloc(4, 255)] : [lengthOf(value), value])),
        0,
      ),
      frontend('D', Buffer.from('P\0')),
      frontend('E', '', Buffer.alloc(4)),
      SYNC,
    ]),
  )
  let columns: ReturnType<typeof columnsOf> = []
  const rows: Row[] = []
  for (const { type, body } of messagesOf(answer)) {
    if (type === 'E') throw new Error(errorFields(body).get('M'))
    if (type === 'T') columns = columnsOf(body)
    if (type !== 'D') continue
    const fields = valuesOf(body)
    rows.push(Object.fromEntries(columns.map(({ name, type }, index) => [name, valueOf(type, fields[index] ?? null)])))
  }
  return rows
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return length
}

function valueOf(type: number, text: string | null): unknown {
  if (text === null) return null
  if (NUMBERS.has(type)) return Number(text)
  if (type === BOOL) return text === 't'
  if (type === BYTEA) return Buffer.from(text.slice(2), 'hex')
  return JSON_TYPES.has(type) ? JSON.parse(text) : text
}
