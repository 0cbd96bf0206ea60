import { z } from 'zod'
import type { KisActionKind, KisAnnouncement, KisAnnouncements } from '../api-announcements.ts'
import type { EndpointName } from '../wire/endpoints.ts'
import type { Params } from '../transport/calls.ts'
import { kstInstant } from '../kst.ts'
import type { RestContext } from './context.ts'
import { decimalOrZero, nonBlank, parse, rawRow, readRow, text, wholeOrZero, type RawRow } from './fields.ts'

/** Rows of a full list; 100 were seen (a public project, real account, June 2026), and its `tr_cont` leads nowhere. */
const FULL = 100

/** Columns of ten characters write days with slashes; a day that is not settled is empty, or zeros. */
const day = text
  .transform((value) => value.replaceAll('/', ''))
  .transform((value) => (/^0*$/.test(value) ? '' : value))
  .refine((value) => value === '' || !Number.isNaN(kstInstant(value, '000000')), 'is no day')
const dayOrNull = day.transform((value) => (value === '' ? null : value))

const head = { sht_cd: nonBlank, record_date: day.refine((value) => value !== '', 'is blank') }

/** `fix_rate`: new shares for a hundred old ones (examples of the broker: 50.00, 100.00, 1000.0). */
const Issue = z.object({
  ...head,
  fix_rate: decimalOrZero,
  fix_price: wholeOrZero.optional(),
  right_dt: dayOrNull,
  list_date: dayOrNull,
})
const Dividend = z.object({ ...head, stk_divi_rate: decimalOrZero, stk_div_pay_dt: dayOrNull })
/** Face values in won; a share of 5,000 that becomes one of 1,000 is five. */
const FaceValue = z.object({
  ...head,
  inter_bf_face_amt: decimalOrZero,
  inter_af_face_amt: decimalOrZero,
  list_dt: dayOrNull,
})

type Read = (raw: RawRow, kind: KisActionKind) => { readonly row: KisAnnouncement } | { readonly what: string }

const issue: Read = (raw, kind) => {
  const read = readRow(Issue, raw)
  if ('what' in read) return read
  const { sht_cd, record_date, fix_rate, fix_price = 0, right_dt, list_date } = read.row
  const days = { recordDay: record_date, exDay: right_dt, creditDay: list_date }
  return { row: { kind, code: sht_cd, ...days, ratio: 1 + fix_rate / 100, paid: fix_price } }
}

const dividend: Read = (raw, kind) => {
  const read = readRow(Dividend, raw)
  if ('what' in read) return read
  const { sht_cd, record_date, stk_divi_rate, stk_div_pay_dt } = read.row
  const days = { recordDay: record_date, exDay: null, creditDay: stk_div_pay_dt }
  return { row: { kind, code: sht_cd, ...days, ratio: 1 + stk_divi_rate / 100, paid: 0 } }
}

const faceValue: Read = (raw, kind) => {
  const read = readRow(FaceValue, raw)
  if ('what' in read) return read
  const { sht_cd, record_date, inter_bf_face_amt: before, inter_af_face_amt: after, list_dt } = read.row
  if (!(before > 0 && after > 0)) return { what: `face values ${before} and ${after}` }
  const days = { recordDay: record_date, exDay: list_dt, creditDay: list_dt }
  return { row: { kind, code: sht_cd, ...days, ratio: before / after, paid: 0 } }
}

/** `stk_divi_rate` is of the shares held in the depository's own notices, and nobody has shown a row with one. */
const LISTS: Readonly<
  Record<KisActionKind, { readonly name: EndpointName; readonly more: Params; readonly read: Read }>
> = {
  bonusIssue: { name: 'bonusIssues', more: {}, read: issue },
  // 2: by the record day, as the others.
  rightsIssue: { name: 'paidInCapital', more: { GB1: '2' }, read: issue },
  stockDividend: { name: 'dividends', more: { GB1: '0', HIGH_GB: '' }, read: dividend },
  faceValue: { name: 'faceValueChanges', more: { MARKET_GB: '0' }, read: faceValue },
}

const ReplyBody = z.object({ output1: z.array(rawRow) })

export async function getAnnouncements(
  kis: RestContext,
  kind: KisActionKind,
  from: string,
  to: string,
  code = '',
): Promise<KisAnnouncements> {
  const { name, more, read } = LISTS[kind]
  const params = { CTS: '', F_DT: from, T_DT: to, SHT_CD: code, ...more }
  const { output1 } = parse(ReplyBody, await kis.calls.query(name, params, { priority: 'quote' }), 'announcements')
  const all = output1.map((raw) => read(raw, kind))
  return {
    rows: all.flatMap((one) => ('row' in one && one.row.ratio !== 1 ? [one.row] : [])),
    isCut: output1.length >= FULL,
    unreadable: all.flatMap((one) => ('what' in one ? [one.what] : [])),
  }
}
