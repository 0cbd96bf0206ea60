import { z } from 'zod'
import type { KisVenue } from '../api.ts'
import { ProtocolError } from '../errors.ts'
import { kstInstant } from '../kst.ts'
import { originalOdno, padOdno } from '../odno.ts'
import type { ApiReply } from '../transport/api-reply.ts'

/** The broker writes "no value" as "", spaces or "(null)". */
const clean = (value: string | number | null | undefined): string => {
  const text = String(value ?? '').trim()
  return text === '(null)' ? '' : text
}

/** Number() alone would also read hexadecimal. An exponent is a decimal of some Java programs ("0E-8"). */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(E[+-]?\d+)?$/i

const raw = z.union([z.string(), z.number()])

const numberFrom = (value: string | number | null | undefined, context: z.RefinementCtx, blank: number | null) => {
  const text = clean(value)
  const number = text === '' ? blank : DECIMAL.test(text) ? Number(text) : Number.NaN
  if (number !== null && Number.isFinite(number)) return number
  context.addIssue({ code: 'custom', message: text === '' ? 'is blank' : `is not a number: ${text.slice(0, 20)}` })
  return z.NEVER
}

const wholeFrom = (value: string | number | null | undefined, context: z.RefinementCtx, blank: number | null) => {
  const number = numberFrom(value, context, blank)
  // "70500.0000" is whole; half a won or a share is a misreading.
  if (number === z.NEVER || Number.isSafeInteger(number)) return number
  context.addIssue({ code: 'custom', message: `is not whole: ${number}` })
  return z.NEVER
}

export const text = raw.nullish().transform(clean)
/** A value the reply is useless without. */
export const nonBlank = raw.transform(clean).refine((value) => value !== '', 'is blank')
export const whole = raw.transform((value, context) => wholeFrom(value, context, null))
export const wholeOrZero = raw.nullish().transform((value, context) => wholeFrom(value, context, 0))
export const decimalOrZero = raw.nullish().transform((value, context) => numberFrom(value, context, 0))

/** `YYYYMMDD`, or empty in a row without a value. */
export const calendarDay = text.refine((day) => day === '' || !Number.isNaN(kstInstant(day, '000000')), 'is no day')

/** Some calls write codes in 12 characters ("00000A003550"). */
export const stockCode = nonBlank.transform((code) => (code.length === 12 ? code.slice(-6) : code))

export const odno = nonBlank.transform(padOdno)
export const originalNumber = text.transform(originalOdno)

export const venue = text.transform((value): KisVenue => (value === 'NXT' || value === 'SOR' ? value : 'KRX'))

/** An object that some calls wrap in an array of one. */
export const single = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (Array.isArray(value) ? value[0] : value), schema)

/** A row as it came; what of it can be read is told row by row (`readRow`). */
export const rawRow = z.record(z.string(), z.unknown())
export type RawRow = z.output<typeof rawRow>

/** The row, or why it cannot be read. */
export function readRow<Schema extends z.ZodType>(
  schema: Schema,
  raw: RawRow,
): { readonly row: z.output<Schema> } | { readonly what: string } {
  const result = schema.safeParse(raw)
  if (result.success) return { row: result.data }
  const issue = result.error.issues[0]
  return { what: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` }
}

/** One field of a row that cannot be read as a whole; null when it cannot be read either, or is not there. */
export function readField<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const result = schema.safeParse(value)
  return result.success ? result.data : null
}

/** Parses at the edge: what does not fit throws, so a missing list is never an empty one. */
export function parse<Schema extends z.ZodType>(schema: Schema, reply: ApiReply, what: string): z.output<Schema> {
  const result = schema.safeParse(reply.body)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new ProtocolError(`${what}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`, reply.code, result.error)
}
