import { isBlank, isOfForm } from '../expect/forms.ts'

/** Names of the broker's fields of days and times: a number in one of them is not written as one by chance. */
const DAY_NAME = /(^|_)(dt|date)$/i
const TIME_NAME = /(_tmd|_hour|_time)$/i

const DIGITS = /^-?(0|[1-9]\d*)$/

/**
 * How a value is written, in words: each way it can be read, `114600` as a number and as a time. A day or a time in a field that is
 * named after it is only that.
 */
function formsOf(field: string, value: unknown): readonly string[] {
  if (typeof value !== 'string') return [value === null ? 'null' : `따옴표 없는 ${typeof value}`]
  const text = value.trim()
  const [isDay, isTime] = [isOfForm(text, 'day'), isOfForm(text, 'time')]
  if (isDay && DAY_NAME.test(field)) return ['YYYYMMDD 날짜']
  if (isTime && TIME_NAME.test(field)) return ['HHMMSS 시각']
  if (isOfForm(text, 'yn')) return ['Y 또는 N']
  const decimals = /^-?(?:0|[1-9]\d*)\.(\d+)$/.exec(text)?.[1]
  const forms = [
    ...(isDay ? ['YYYYMMDD 날짜'] : []),
    ...(isTime ? ['HHMMSS 시각'] : []),
    ...(/^\d{4}([/-])\d{2}\1\d{2}$/.test(text) ? [`YYYY${text[4]}MM${text[4]}DD 날짜`] : []),
    ...(/^\d{2}:\d{2}:\d{2}$/.test(text) ? ['HH:MM:SS 시각'] : []),
    ...(DIGITS.test(text) ? ['정수'] : []),
    ...(decimals === undefined ? [] : [`소수 ${decimals.length}자리 수`]),
    ...(/^\+[\d.]+$/.test(text) ? ['앞에 +가 붙은 수'] : []),
    ...(/^[\d.]+-$/.test(text) ? ['뒤에 -가 붙은 수'] : []),
    ...(/^-?0\d+\.\d+$/.test(text) ? [`0을 채운 ${text.length}자리 소수`] : []),
  ]
  return forms.length === 0 || /\p{L}/u.test(text) ? [...forms, ...codeOf(text)] : forms
}

/** Digits with zeros in front, or letters. */
const codeOf = (text: string): string[] =>
  /^-?\d+$/.test(text) ? [`0을 채운 ${text.length}자리 숫자`] : [/^[\d.,-]+$/.test(text) ? '다른 꼴의 수' : '글자']

/** Digits and letters of one width, as codes and order numbers: `000123` and `654321`, `005930` and `0001A0`. */
const isCode = (text: string): boolean => /^(?=.*\d)[0-9A-Z]{2,}$/.test(text)

/** Spaces that fill a value up; both may also fill the same width exactly. */
const isPaddedAlike = (a: string, b: string): boolean =>
  a.length === b.length || (a === a.trim() && b === b.trim()) || (isBlank(a) && isBlank(b) && a === b)

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const hasNoText = (value: unknown): boolean => typeof value === 'string' && isBlank(value)

/** A cursor is the broker's own, and an archive has zeros instead: only its width says something. */
const CURSOR = /^ctx_area_/i

/** How one field is written in two brokers' replies; null: alike. */
export interface OtherForm {
  readonly archived: string
  readonly pretended: string
}

/**
 * Whether each archived value of a field is written as some value of the pretended broker's is. Blanks say "no value": they
 * count where the pretended broker has nothing else, or the archive nothing else and the pretended broker none. How large a number is, and whether it is negative, is no form.
 */
export function otherForm(
  field: string,
  archived: readonly unknown[],
  pretended: readonly unknown[],
): OtherForm | null {
  const [ours, theirs] = [archived, pretended].map((values) => values.filter((value) => !hasNoText(value)))
  if (ours === undefined || theirs === undefined) return null
  if (CURSOR.test(field)) return otherWidth(archived, pretended)
  if (ours.length === 0 && theirs.length === 0) return otherWidth(archived, pretended)
  if (ours.length === 0) return theirs.length === pretended.length ? difference(field, archived[0], theirs[0]) : null
  if (theirs.length === 0) return difference(field, ours[0], pretended[0])
  const widths = new Set([...ours, ...theirs].map((value) => asText(value).trim().length))
  const isFixed = widths.size === 1
  const odd = ours.find((value) => !theirs.some((other) => isAlike(field, value, other, isFixed)))
  return odd === undefined ? null : difference(field, odd, theirs[0])
}

function isAlike(field: string, a: unknown, b: unknown, isFixed: boolean): boolean {
  if (!isPaddedAlike(asText(a), asText(b))) return false
  const others = formsOf(field, b)
  if (formsOf(field, a).some((form) => others.includes(form))) return true
  return isFixed && isCode(asText(a).trim()) && isCode(asText(b).trim()) && !isExact(field, others)
}

/** A day or a time by the name of its field: another text of the same width is none. */
const isExact = (field: string, forms: readonly string[]): boolean =>
  forms.length === 1 && (DAY_NAME.test(field) || TIME_NAME.test(field))

function otherWidth(archived: readonly unknown[], pretended: readonly unknown[]): OtherForm | null {
  const widths = new Set(pretended.map((value) => asText(value).length))
  const odd = archived.find((value) => typeof value !== 'string' || !widths.has(value.length))
  return odd === undefined ? null : difference('', odd, pretended[0])
}

const difference = (field: string, archived: unknown, pretended: unknown): OtherForm => ({
  archived: formText(field, archived),
  pretended: formText(field, pretended),
})

function formText(field: string, value: unknown): string {
  const text = asText(value)
  if (hasNoText(value)) return text === '' ? '빈 값' : `빈칸 ${text.length}개`
  const form = formsOf(field, value).join(' 또는 ')
  if (text === text.trim()) return form
  return `${form}(${text.startsWith(' ') ? '앞을' : '뒤를'} 빈칸으로 채워 ${text.length}자)`
}
