import { dayEnds, kstDay, type Timetable } from '@digger/core'
import { type Finding, note, ok, source } from '../finding.ts'
import { numberOf, textOf, type Row } from '../reply.ts'

/** An order with shares that were not filled, and in which columns they stand. */
interface Ended {
  readonly row: Row
  readonly open: number
  readonly rejected: number
  readonly cancelled: number
  readonly remaining: number
  /** A cancellation of it is in the list. */
  readonly isCancelled: boolean
}

/** What became of orders that were not filled: the list says it in ways nobody has published (kis-protocol 4.7, 12 #20). */
export function endsOf(rows: readonly Row[], now: number, timetable: Timetable): Finding[] {
  const changes = new Set(rows.filter(isChange).map((row) => `${textOf(row['ord_dt'])} ${Number(row['orgn_odno'])}`))
  const unfilled = rows
    .filter((row) => !isChange(row))
    .map((row) => endedOf(row, changes))
    .filter(({ open }) => open > 0)
  const today = kstDay(now)
  const past = unfilled.filter(({ row }) => textOf(row['ord_dt']) < today)
  const ofToday = unfilled.filter(({ row }) => textOf(row['ord_dt']) === today)
  return [
    ...expired(past.filter(({ isCancelled }) => !isCancelled)),
    ...cancelled(
      unfilled.filter(({ isCancelled }) => isCancelled),
      rows.filter(isChange),
    ),
    ...(timetable.hours === 'always'
      ? []
      : since(
          ofToday.filter(({ isCancelled }) => !isCancelled),
          now,
          timetable,
        )),
  ]
}

const isChange = (row: Row): boolean => Number(textOf(row['orgn_odno'])) > 0

function endedOf(row: Row, changes: ReadonlySet<string>): Ended {
  const of = (field: string): number => numberOf(row, field) || 0
  return {
    row,
    open: of('ord_qty') - of('tot_ccld_qty'),
    rejected: of('rjct_qty'),
    cancelled: Math.max(of('cnc_cfrm_qty'), of('cncl_cfrm_qty')),
    remaining: of('rmn_qty'),
    isCancelled: changes.has(`${textOf(row['ord_dt'])} ${Number(row['odno'])}`),
  }
}

const EXPIRED = source('M', '4.7')

/** Believed: shown as rejected, as a real account showed it. */
function expired(rows: readonly Ended[]): Finding[] {
  const shown = (is: (one: Ended) => boolean): Ended | undefined => rows.find(is)
  const asCancelled = shown((one) => one.rejected === 0 && one.cancelled >= one.open)
  const asRemaining = shown((one) => one.rejected === 0 && one.cancelled === 0 && one.remaining > 0)
  const asNothing = shown((one) => one.rejected === 0 && one.cancelled === 0 && one.remaining === 0)
  const as = (one: Ended | undefined, how: string, field: string): Finding[] =>
    one === undefined
      ? []
      : [
          note(
            `장이 끝나 없어진 주문을 거부로 보인다고 알고 있는데 ${how} 디거는 날이 지난 주문을 어떻게 보이든 끝난 것으로 봅니다.`,
            {
              fields: [field, 'rjct_qty'],
              came: `${textOf(one.row['ord_dt'])} ${textOf(one.row['odno'])}`,
              source: EXPIRED,
            },
          ),
        ]
  const odd = [
    ...as(asCancelled, '취소로 보입니다.', 'cnc_cfrm_qty'),
    ...as(asRemaining, '아직 걸려 있는 것처럼 잔량으로 보입니다.', 'rmn_qty'),
    ...as(asNothing, '어디에도 적지 않습니다.', 'rmn_qty'),
  ]
  if (odd.length > 0 || rows.length === 0) return odd
  return [
    ok(`장이 끝나 없어진 주문 ${rows.length}건이 믿는 대로 거부로 보입니다.`, {
      fields: ['rjct_qty'],
      source: EXPIRED,
    }),
  ]
}

/** Believed: on the order's own row. */
function cancelled(rows: readonly Ended[], changes: readonly Row[]): Finding[] {
  const onChange = changes.filter((row) => numberOf(row, 'cnc_cfrm_qty') > 0 || numberOf(row, 'cncl_cfrm_qty') > 0)
  if (onChange.length === 0) return []
  const isBoth = rows.some((one) => one.cancelled > 0)
  return [
    note(
      `취소된 수량을 원래 주문의 줄에 적는다고 알고 있는데 ${isBoth ? '취소 주문의 줄에도' : '취소 주문의 줄에만'} 적습니다. 디거는 잔량과 체결만 보므로 매매는 그대로입니다.`,
      { fields: ['cnc_cfrm_qty', 'cncl_cfrm_qty'], source: source('?', '4.7') },
    ),
  ]
}

const FROM = source('?', '4.7')

/** When an order of KRX's regular session that ended today is first shown as ended. Believed: after the day's last session. */
function since(rows: readonly Ended[], now: number, timetable: Timetable): Finding[] {
  const ends = dayEnds(kstDay(now), timetable)
  const over = rows.filter(
    ({ row }) =>
      textOf(row['excg_id_dvsn_Cd']) === 'KRX' && ['00', '01', '03', '04'].includes(textOf(row['ord_dvsn_cd'])),
  )
  const isShown = over.some((one) => one.rejected + one.cancelled > 0 || one.remaining === 0)
  if (over.length === 0 || now < ends.regular) return []
  const more = { fields: ['rmn_qty', 'rjct_qty'], source: FROM }
  if (now < ends.all && isShown)
    return [
      note(
        '정규장이 끝난 주문이 저녁이 되기 전에 벌써 끝난 것으로 보입니다. 디거는 그때부터 새 주문을 낼 수 있습니다.',
        more,
      ),
    ]
  if (now >= ends.surely && !isShown)
    return [
      note(
        '하루가 끝났는데 정규장 주문이 아직 걸려 있는 것처럼 보입니다. 자정에 바뀌는 것으로 보이며, 디거는 다음 날 아침에 정리합니다.',
        more,
      ),
    ]
  return []
}
