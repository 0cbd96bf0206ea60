import { addDays } from '@digger/core'
import type { CorporateAction, HappeningOf } from '../exchange/happening.ts'
import type { MarketHours } from '../exchange/market-hours.ts'
import { field, quotation, type Call, type Reply } from './call.ts'
import { listedShares } from './price.ts'

/*
 * What the depository tells of coming actions (예탁원정보). Columns: the broker's official samples; how they are written: rows
 * that public projects show of real replies: days with slashes in columns of ten characters and without in those of eight, counts
 * and prices filled up with zeros or spaces, a day that is not settled yet as an empty text. A page has at most a hundred rows and
 * nothing leads to the next one.
 */
const MAX_ROWS = 100

/** Won a share, before any split: the pretend companies have all the same. */
const FACE = 5_000
/** Trading stands still for so many days before the share of a split is traded. */
const HALT_DAYS = 5

const slashed = (day: string): string => `${day.slice(0, 4)}/${day.slice(4, 6)}/${day.slice(6)}`
const zeros = (value: number, width: number): string => String(Math.round(value)).padStart(width, '0')
const percent = (part: number): string => (part * 100).toFixed(2)

type Row = { readonly record_date: string; readonly sht_cd: string } & Readonly<Record<string, string>>

export const bonusIssues = (call: Call): Reply =>
  listed(
    call,
    actions(call, 'bonusIssue').map((action) => ({
      ...head(call, action),
      ...shares(call, action),
      fix_rate: percent(action.ratio - 1),
      odd_rec_price: zeros(0, 9),
      right_dt: action.exDay,
      odd_pay_dt: '',
      list_date: action.creditDay,
      stk_kind: '01',
    })),
  )

export const paidInCapital = (call: Call): Reply =>
  listed(
    call,
    actions(call, 'rightsIssue').map((action) => ({
      ...head(call, action),
      ...shares(call, action),
      fix_rate: percent(action.ratio - 1).padStart(6),
      disc_rate: '  0.00',
      fix_price: String(action.paid).padStart(8),
      right_dt: action.exDay,
      sub_term_ft: '',
      sub_term: '',
      list_date: slashed(action.creditDay),
      stk_kind: '01',
    })),
  )

export const faceValueChanges = (call: Call): Reply =>
  listed(
    call,
    actions(call, 'split').map((action) => {
      const { exDay, ratio } = action
      const [before, after] = ratio >= 1 ? [FACE, FACE / ratio] : [FACE * ratio, FACE]
      return {
        ...head(call, action),
        inter_bf_face_amt: zeros(before, 9),
        inter_af_face_amt: zeros(after, 9),
        td_stop_dt: `${slashed(addDays(exDay, -HALT_DAYS))} ~ ${slashed(addDays(exDay, -1))}`,
        list_dt: slashed(exDay),
      }
    }),
  )

/** In money and in shares. */
export function dividends(call: Call): Reply {
  const all = call.broker.happenings.list
  const inMoney = all.flatMap((one) => (one.kind === 'dividend' ? [moneyRow(call, one)] : []))
  const inShares = actions(call, 'stockDividend').map((action) => ({
    ...head(call, action),
    divi_kind: '결산',
    face_val: zeros(FACE, 9),
    per_sto_divi_amt: zeros(0, 12),
    divi_rate: '  0.00',
    stk_divi_rate: percent(action.ratio - 1).padStart(6),
    divi_pay_dt: '',
    stk_div_pay_dt: slashed(action.creditDay),
    odd_pay_dt: '',
    stk_kind: '보통',
    high_divi_gb: '',
  }))
  return listed(call, [...inMoney, ...inShares])
}

function moneyRow(call: Call, dividend: HappeningOf<'dividend'>): Row {
  const { won, payDay } = dividend
  return {
    ...head(call, dividend),
    divi_kind: '결산',
    face_val: zeros(FACE, 9),
    per_sto_divi_amt: zeros(won, 12),
    divi_rate: percent(won / FACE).padStart(6),
    stk_divi_rate: '  0.00',
    divi_pay_dt: slashed(payDay),
    stk_div_pay_dt: '',
    odd_pay_dt: '',
    stk_kind: '보통',
    high_divi_gb: '',
  }
}

const actions = (call: Call, as: CorporateAction['as']): CorporateAction[] =>
  call.broker.happenings.list.flatMap((one) => (one.kind === 'corporateAction' && one.as === as ? [one] : []))

/** Who holds the share at the end of the record day has it: bought on the day before the ex-day at the latest. */
function head({ broker }: Call, { code, exDay }: Pick<CorporateAction, 'code' | 'exDay'>): Row {
  return {
    record_date: openDayAfter(exDay, broker.hours),
    sht_cd: code,
    isin_name: broker.exchange.issue(code).listing.name,
  }
}

function shares({ broker }: Call, { code, ratio }: CorporateAction): Readonly<Record<string, string>> {
  const before = listedShares(broker.exchange.issue(code))
  const [listed, added] = [before, before * (ratio - 1)].map((count) => String(Math.floor(count)).padStart(12))
  return { tot_issue_stk_qty: listed ?? '', issue_stk_qty: added ?? '' }
}

function openDayAfter(day: string, hours: MarketHours): string {
  let next = addDays(day, 1)
  while (!hours.isOpenDay(next)) next = addDays(next, 1)
  return next
}

/** By the record day; a code is asked for by itself, or all. */
function listed(call: Call, rows: readonly Row[]): Reply {
  const [code, from, to] = [field(call, 'SHT_CD'), field(call, 'F_DT'), field(call, 'T_DT')]
  const found = rows.filter(
    ({ sht_cd, record_date }) => (code === '' || code === sht_cd) && record_date >= from && record_date <= to,
  )
  return quotation({ output1: found.sort(byDay).slice(0, MAX_ROWS) }, 'E')
}

const byDay = (a: Row, b: Row): number => (a.record_date < b.record_date ? -1 : a.record_date > b.record_date ? 1 : 0)
