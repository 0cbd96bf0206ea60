import type { KisIssueStatus } from '../api.ts'
import { text } from './fields.ts'

/** A field that is no text says as little as one with an unknown code; the price beside it is as good as ever. */
const statusText = text.catch('?')

/** Of inquire-price; the broker's own sheet (주식현재가 시세) names them, kis-protocol 3.1 what was seen. */
export const STATUS_FIELDS = {
  iscd_stat_cls_code: statusText,
  temp_stop_yn: statusText,
  mrkt_warn_cls_code: statusText,
  mang_issu_cls_code: statusText,
  sltr_yn: statusText,
  short_over_yn: statusText,
  invt_caful_yn: statusText,
  vi_cls_code: statusText,
}

type StatusFields = Readonly<Record<keyof typeof STATUS_FIELDS, string>>
type Meanings = Readonly<Record<string, KisIssueStatus | null>>

/** What says nothing of an issue in any of the fields. */
const NOTHING: ReadonlySet<string> = new Set(['N', '0', '00', ''])

const MEANINGS: readonly (readonly [keyof StatusFields, Meanings])[] = [
  [
    'iscd_stat_cls_code',
    {
      '51': 'administrative',
      '52': 'risk',
      '53': 'warning',
      '54': 'caution',
      // Credit is given, or the whole amount is wanted in cash: nothing of the issue itself.
      '55': null,
      '57': null,
      '58': 'halted',
      '59': 'overheated',
    },
  ],
  ['mrkt_warn_cls_code', { '01': 'caution', '02': 'warning', '03': 'risk' }],
  ['temp_stop_yn', { Y: 'halted' }],
  ['mang_issu_cls_code', { Y: 'administrative' }],
  ['sltr_yn', { Y: 'liquidation' }],
  ['short_over_yn', { Y: 'overheated' }],
  ['invt_caful_yn', { Y: 'caution' }],
  // The call for interruptions (inquire-vi-status) counts them 1 static, 2 dynamic, 3 both; of this field only Y and N are told.
  ['vi_cls_code', { Y: 'interrupted', '1': 'interrupted', '2': 'interrupted', '3': 'interrupted' }],
]

/** What the reply says of the issue, each once; `unknown` where it says something that is in none of the broker's tables. */
export function statusesOf(fields: StatusFields): KisIssueStatus[] {
  const found = MEANINGS.flatMap(([name, meanings]): KisIssueStatus[] => {
    const value = fields[name].toUpperCase()
    const status = meanings[value]
    if (status !== undefined) return status === null ? [] : [status]
    return NOTHING.has(value) ? [] : ['unknown']
  })
  return [...new Set(found)]
}
