import { source } from '../finding.ts'
import { table } from './table.ts'

const SOURCE = source('S', '3.4')
const list = (name: string) => ({ name, part: 'output1', shape: 'list', source: SOURCE }) as const

/** Of the depository's lists. Counts and prices are filled up with zeros or spaces. */
export const BONUS_ISSUES = table(list('무상증자 일정'), {
  'dayOrSlashes!': 'record_date',
  'stock!': 'sht_cd',
  'decimal!': 'fix_rate',
  dayOrSlashes: 'right_dt list_date odd_pay_dt',
  decimal: 'odd_rec_price tot_issue_stk_qty issue_stk_qty',
  text: 'isin_name stk_kind',
})

export const RIGHTS_ISSUES = table(list('유상증자 일정'), {
  'dayOrSlashes!': 'record_date',
  'stock!': 'sht_cd',
  'decimal!': 'fix_rate fix_price',
  dayOrSlashes: 'right_dt list_date',
  decimal: 'disc_rate tot_issue_stk_qty issue_stk_qty',
  text: 'isin_name stk_kind sub_term_ft sub_term',
})

export const DIVIDENDS = table(list('배당 일정'), {
  'dayOrSlashes!': 'record_date',
  'stock!': 'sht_cd',
  'decimal!': 'stk_divi_rate',
  dayOrSlashes: 'divi_pay_dt stk_div_pay_dt odd_pay_dt',
  decimal: 'face_val per_sto_divi_amt divi_rate',
  text: 'isin_name divi_kind stk_kind high_divi_gb',
})

export const FACE_VALUES = table(list('액면변경 일정'), {
  'dayOrSlashes!': 'record_date',
  'stock!': 'sht_cd',
  'decimal!': 'inter_bf_face_amt inter_af_face_amt',
  dayOrSlashes: 'list_dt',
  text: 'isin_name td_stop_dt',
})
