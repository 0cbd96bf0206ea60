import { type Finding, note, wrong } from '../finding.ts'
import { isRow, type Reply, type Row } from '../reply.ts'
import { formText, isBlank, isOfForm } from './forms.ts'
import type { Expected, Table } from './table.ts'

/** Names the documents print in two ways, with a space in one of them: no client can depend on them (kis-protocol 3.4). */
const isUndependable = (name: string): boolean => name.startsWith('itewhol_loan_rmnd_ratem')

/** Rows of a table in a reply; null: they are not there, or not as a list or an object. */
export function rowsOf({ part, shape }: Table, { body }: Reply): readonly Row[] | null {
  const found = body?.[part]
  if (shape === 'object') return isRow(found) ? [found] : null
  return Array.isArray(found) && found.every(isRow) ? found : null
}

/** Whether each field is there and written as believed, over all rows of the replies. */
export function judgeTable(table: Table, replies: readonly Reply[]): Finding[] {
  const parts = replies.map((reply) => rowsOf(table, reply))
  if (parts.includes(null)) return [shapeOf(table)]
  const rows = parts.flatMap((part) => part ?? []).filter((row) => Object.keys(row).length > 0)
  if (rows.length === 0) return []
  return [
    ...(table.shape === 'listOfOne' && parts.some((part) => part?.length !== 1) ? [shapeOf(table)] : []),
    ...[...table.fields].flatMap(([field, expected]) => judgeField(table, field, expected, rows)),
    ...unexpected(table, rows),
  ]
}

const SHAPES = { object: '한 묶음', list: '목록', listOfOne: '한 줄짜리 목록' } as const

const shapeOf = ({ name, part, shape, source }: Table): Finding =>
  wrong(
    `${name} 응답의 ${part} 자리가 ${SHAPES[shape]}이 아닙니다. 디거가 읽지 못할 수 있으니 자동매매를 시작하지 마세요.`,
    {
      fields: [part],
      believed: SHAPES[shape],
      source,
    },
  )

function judgeField(table: Table, field: string, expected: Expected, rows: readonly Row[]): Finding[] {
  const values = rows.map((row) => row[field])
  const missing = values.filter((value) => value === undefined).length
  if (missing > 0) return [found(table, expected, absent(table, field, rows, missing), { fields: [field] })]
  const odd = values.find((value) => problemOf(value, expected) !== null)
  if (odd === undefined) return []
  const text = `${table.name} 응답의 ${field}: ${problemOf(odd, expected) ?? ''}`
  const came = typeof odd === 'string' ? `'${odd}'` : JSON.stringify(odd)
  return [found(table, expected, text, { fields: [field], believed: believedOf(expected), came })]
}

const found = ({ source }: Table, { isRead }: Expected, text: string, more: Omit<Finding, 'level' | 'text'>): Finding =>
  isRead
    ? wrong(`${text} 매매를 판단하는 값이니, 왜 그런지 알기 전에는 자동매매를 시작하지 마세요.`, { ...more, source })
    : note(`${text} 디거가 판단에 쓰지 않는 값이라 매매는 그대로입니다.`, { ...more, source })

function absent({ name }: Table, field: string, rows: readonly Row[], missing: number): string {
  const other = rows.flatMap((row) => Object.keys(row)).find((key) => key.toLowerCase() === field.toLowerCase())
  if (other !== undefined) return `${name} 응답의 ${field}가 ${other}(으)로 적혀 있습니다.`
  return missing === rows.length
    ? `${name} 응답에 ${field}가 없습니다.`
    : `${name} 응답 ${rows.length}줄 가운데 ${missing}줄에 ${field}가 없습니다.`
}

const believedOf = ({ form, codes }: Expected): string => (codes ? codes.join(', ') : formText(form))

/** What is wrong with a value, as the end of a sentence; null: nothing. */
function problemOf(value: unknown, expected: Expected): string | null {
  const { form, codes, isRead } = expected
  if (typeof value !== 'string') return '글자여야 하는데 다른 꼴로 왔습니다.'
  // A text may be empty wherever it is shown only: "no value" (kis-protocol 1.3).
  if (isBlank(value)) return isRead ? '값이 비어 있습니다.' : null
  if (!isOfForm(value, form)) return `${formText(form)}이어야 하는데 다르게 적혀 있습니다.`
  if (codes && !codes.includes(value.trim())) return '문서에 없는 값입니다.'
  return null
}

function unexpected({ name, fields, source }: Table, rows: readonly Row[]): Finding[] {
  const lower = new Set([...fields.keys()].map((field) => field.toLowerCase()))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const odd = names.filter((field) => !lower.has(field.toLowerCase()) && !isUndependable(field))
  if (odd.length === 0) return []
  return [
    note(`${name} 응답에 문서에 없는 값이 있습니다: ${odd.join(', ')}. 디거는 읽지 않습니다.`, { fields: odd, source }),
  ]
}
