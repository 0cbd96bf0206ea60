import { type Finding, note, type Source, wrong } from '../finding.ts'
import { numberOf, type Row } from '../reply.ts'

/** Numbers of one row that must fit each other. */
export interface Relation {
  readonly fields: readonly string[]
  /** What must hold, as a sentence. */
  readonly text: string
  /** Digger decides by one of the fields. */
  readonly isRead: boolean
  readonly holds: (of: (field: string) => number) => boolean
}

export const relation = (fields: string, text: string, holds: Relation['holds'], isRead = true): Relation => ({
  fields: fields.split(' '),
  text,
  isRead,
  holds,
})

export interface Judged {
  readonly name: string
  readonly source: Source
  /** How a row is called for people, as by its code. */
  readonly rowName?: (row: Row) => string
}

/** One finding for each relation that some row breaks. A row with a field that is no number is the business of its form. */
export function judgeRelations(judged: Judged, relations: readonly Relation[], rows: readonly Row[]): Finding[] {
  return relations.flatMap((one): Finding[] => {
    const broken = rows.find((row) => {
      const values = one.fields.map((field) => numberOf(row, field))
      return !values.some(Number.isNaN) && !one.holds((field) => numberOf(row, field))
    })
    return broken === undefined ? [] : [doesNotFit(judged, one, broken)]
  })
}

export function doesNotFit(
  { name, source, rowName }: Judged,
  { fields, text, isRead }: Omit<Relation, 'holds'>,
  row: Row,
): Finding {
  const came = fields.map((field) => `${field} ${String(row[field])}`).join(', ')
  const which = rowName === undefined ? '' : ` (${rowName(row)})`
  const more = { fields, came, source }
  return isRead
    ? wrong(
        `${name}${which}: ${text} 그런데 맞지 않습니다. 단위나 뜻이 다를 수 있으니 확인하기 전에는 자동매매를 시작하지 마세요.`,
        more,
      )
    : note(`${name}${which}: ${text} 그런데 맞지 않습니다. 디거가 판단에 쓰지 않는 값이라 매매는 그대로입니다.`, more)
}

/** A figure of a summary against the sum over rows. */
export function judgeSum(
  judged: Judged,
  summary: Row,
  field: string,
  rows: readonly Row[],
  of: string,
  isRead = false,
): Finding[] {
  const [total, parts] = [numberOf(summary, field), rows.map((row) => numberOf(row, of))]
  if (Number.isNaN(total) || parts.some(Number.isNaN)) return []
  const sum = parts.reduce((all, part) => all + part, 0)
  if (sum === total) return []
  const text = `${field}는 ${of}의 합 ${sum}이어야 합니다.`
  return [doesNotFit(judged, { fields: [field, of], text, isRead }, { ...summary, [of]: String(sum) })]
}

/** Equal but for so much. */
export const isNear = (a: number, b: number, off: number): boolean => Math.abs(a - b) <= off
