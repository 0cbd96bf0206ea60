import { isRow, textOf, type Row } from '../reply.ts'
import type { FiledReply } from './filed-reply.ts'
import { otherForm } from './value-forms.ts'

/** A reply of an archive, and what the pretended broker answers when it is asked the same; null: it was not asked. */
export interface ReplyPair {
  readonly archived: FiledReply
  readonly pretended: FiledReply | null
}

/** A field that the two do not have alike, and how, for people. */
export interface ShapeDifference {
  readonly call: string
  /** As `output1.pdno`; empty: the whole reply. */
  readonly field: string
  readonly text: string
}

export interface Comparison {
  readonly differences: readonly ShapeDifference[]
  /** Replies that were compared and in which nothing is different; fields of all calls that are alike wherever they came. */
  readonly repliesAlike: number
  readonly fieldsAlike: number
  /** What could not be compared, and why: for people. */
  readonly notCompared: readonly string[]
}

/** What is different: which fields there are and how their values are written, not the values. Each difference once. */
export function compareShapes(pairs: readonly ReplyPair[]): Comparison {
  const differences = new Map<string, ShapeDifference>()
  const fields = new Set<string>()
  const left = new Map<string, string>()
  let repliesAlike = 0
  for (const { archived, pretended } of pairs) {
    const { call } = archived
    const compared = compareReplies(archived, pretended)
    for (const [part, why] of compared.left) left.set(`${call} ${part}`.trim(), why)
    for (const name of compared.fields) fields.add(`${call} ${name}`)
    for (const one of compared.differences) differences.set(`${call} ${one.field}: ${one.text}`, { call, ...one })
    if (compared.fields.length > 0 && compared.differences.length === 0) repliesAlike += 1
  }
  for (const { call, field } of differences.values()) fields.delete(`${call} ${field}`)
  const wasCompared = (what: string): boolean => [...fields].some((name) => name.startsWith(`${what}.`))
  return {
    differences: [...differences.values()],
    repliesAlike,
    fieldsAlike: fields.size,
    notCompared: [...left].filter(([what]) => !wasCompared(what)).map(([what, why]) => `${what}: ${why}`),
  }
}

type Found = Omit<ShapeDifference, 'call'>

interface Compared {
  readonly differences: readonly Found[]
  /** All that were looked at. */
  readonly fields: readonly string[]
  /** By part of the reply; empty: all of it. */
  readonly left: readonly (readonly [part: string, why: string])[]
}

const nothing = (why: string): Compared => ({ differences: [], fields: [], left: [['', why]] })

/** Refused for the pace of the questions, which says nothing of the reply. */
const PACE: ReadonlySet<string> = new Set(['EGW00201', 'EGW00215'])

function compareReplies({ body }: FiledReply, pretended: FiledReply | null): Compared {
  if (pretended === null) return nothing('모의 증권사에 없는 조회입니다.')
  if (!isRow(body)) return nothing('보관한 응답이 JSON이 아닙니다(점검 안내일 수 있습니다).')
  const other = pretended.body
  if (!isRow(other)) return nothing('모의 증권사의 응답이 JSON이 아닙니다.')
  const [code, otherCode] = [textOf(body['msg_cd']), textOf(other['msg_cd'])]
  if (PACE.has(code)) return nothing(`호출이 잦다고 거절된 응답입니다[${code}].`)
  const [isGood, isOtherGood] = [body, other].map((one) => one['rt_cd'] === '0')
  if (isGood === isOtherGood) return compareBodies(body, other)
  const text =
    isGood === true
      ? `보관한 응답은 성공인데 모의 증권사는 거절합니다[${otherCode}].`
      : `보관한 응답은 거절인데[${code}] 모의 증권사는 답합니다.`
  return { differences: [{ field: '', text }], fields: [''], left: [] }
}

interface Part {
  readonly kind: '한 묶음' | '목록' | '값'
  readonly rows: readonly Row[]
}

function partOf(value: unknown): Part {
  if (isRow(value)) return { kind: '한 묶음', rows: filled([value]) }
  if (Array.isArray(value) && value.every(isRow)) return { kind: '목록', rows: filled(value) }
  return { kind: '값', rows: [] }
}

const filled = (rows: readonly Row[]): Row[] => rows.filter((row) => Object.keys(row).length > 0)

/** What stands around the lists is compared as one row; then list by list. */
function compareBodies(body: Row, other: Row): Compared {
  const isStructure = (name: string): boolean => [body, other].some((one) => partOf(one[name]).kind !== '값')
  const around = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isStructure(name) ? STRUCTURE : value]))
  const results = [compareRows('', [around(body)], [around(other)])]
  for (const [name, value] of Object.entries(body)) {
    const [part, otherPart] = [partOf(value), partOf(other[name])]
    if (other[name] === undefined || (part.kind === '값' && otherPart.kind === '값')) continue
    results.push(compareParts(name, part, otherPart))
  }
  return {
    differences: results.flatMap(({ differences }) => differences),
    fields: results.flatMap(({ fields }) => fields),
    left: results.flatMap(({ left }) => left),
  }
}

/** Stands for a list or an object where only its being there is compared. */
const STRUCTURE = ''

function compareParts(name: string, part: Part, other: Part): Compared {
  if (part.kind !== other.kind) {
    const text = `보관한 응답은 ${part.kind}, 모의 증권사는 ${other.kind}입니다.`
    return { differences: [{ field: name, text }], fields: [name], left: [] }
  }
  if (part.rows.length === 0) return { ...nothing(''), left: [[name, '보관한 응답에 줄이 없습니다.']] }
  if (other.rows.length === 0) return { ...nothing(''), left: [[name, '모의 증권사의 응답에 줄이 없습니다.']] }
  return compareRows(name, part.rows, other.rows)
}

function compareRows(part: string, rows: readonly Row[], others: readonly Row[]): Compared {
  const names = [...new Set([...rows, ...others].flatMap((row) => Object.keys(row)))]
  const pathOf = (name: string): string => (part === '' ? name : `${part}.${name}`)
  const differences = names.flatMap((name) => {
    const text = differenceOf(name, rows, others)
    return text === null ? [] : [{ field: pathOf(name), text }]
  })
  return { differences, fields: names.map(pathOf), left: [] }
}

function differenceOf(name: string, rows: readonly Row[], others: readonly Row[]): string | null {
  const valuesOf = (of: readonly Row[]): unknown[] => of.map((row) => row[name]).filter((value) => value !== undefined)
  const [values, otherValues] = [valuesOf(rows), valuesOf(others)]
  if (otherValues.length === 0) return '보관한 응답에만 있습니다. 모의 증권사는 보내지 않습니다.'
  const isAlways = otherValues.length === others.length
  if (values.length === 0) return isAlways ? '보관한 응답에 없습니다. 모의 증권사는 보냅니다.' : null
  if (values.length < rows.length && isAlways) return '보관한 응답의 일부 줄에 없습니다. 모의 증권사는 늘 보냅니다.'
  const other = otherForm(name, values, otherValues)
  return other === null ? null : `보관한 응답은 ${other.archived}, 모의 증권사는 ${other.pretended}입니다.`
}
