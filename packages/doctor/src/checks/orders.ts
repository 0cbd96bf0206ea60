import { addDays, isTradingDay, kstDay, tradingDayBefore, type Timetable } from '@digger/core'
import { type Check, failure, orOk } from '../check.ts'
import type { Asked } from '../examined.ts'
import { ORDERS, ORDER_SUMS } from '../expect/account-tables.ts'
import { judgeTable, rowsOf } from '../expect/judge.ts'
import { type Judged, judgeRelations, judgeSum, relation } from '../expect/relations.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { codeOf, isGood, textOf, type Reply, type Row } from '../reply.ts'
import { endsOf } from './order-ends.ts'
import { writingOf } from './order-writing.ts'

const SOURCE = source('D', '4.7')

/** Some days back, so that days on which nobody trades are among them. */
const SPAN_DAYS = 8

/** KIER2570: these days are not listed together, or not this one. */
const DAYS_REFUSED = 'KIER2570'
/** SYDB0050: the list changed between two pages. */
const CHANGED = 'SYDB0050'

export const ordersCheck: Check = {
  key: 'orders',
  name: '주문·체결 목록(여러 날)',
  source: SOURCE,
  async run(examiner) {
    const { now, timetable } = examiner.subject
    const [today, findings] = [kstDay(now()), [] as Finding[]]
    const asked: Asked<{ readonly unreadable?: readonly { readonly what: string }[] }>[] = []
    for (const [from, to] of rangesOf(today, timetable)) {
      const one = await examiner.ask((rest) => rest.executions({ from, to }))
      asked.push(one)
      findings.push(...failure(one, `${from}~${to} 주문 목록`), ...changedLists(one.replies))
    }
    const walks = asked.flatMap(({ replies }) => walksOf(replies))
    const all = walks.flat().flatMap((reply) => rowsOf(ORDERS, reply) ?? [])
    const orders = eachOnce(all)
    examiner.seen.orders = orders
    const replies = walks.flat()
    for (const reply of replies) examiner.judged.add(reply)
    return orOk(
      [
        ...findings,
        ...judgeTable(ORDERS, replies),
        ...judgeTable(ORDER_SUMS, replies),
        ...judgeRelations(ROW, ROW_RELATIONS, all),
        ...changedSince(all, today),
        ...walks.flatMap(sumsOf),
        ...rangesRefused(
          asked.flatMap((one) => one.replies),
          timetable,
        ),
        ...twice(walks),
        ...writingOf(orders),
        ...endsOf(orders, now(), timetable),
        ...asked.slice(0, 1).flatMap(({ value }) => unreadable(value?.unreadable ?? [])),
      ],
      `${SPAN_DAYS}일 동안의 주문 ${orders.length}건을 읽었고 수량이 서로 맞습니다.`,
      SOURCE,
    )
  },
}

/** The last week; an open day with the one before; from the last day before a closure into it. */
function rangesOf(today: string, timetable: Timetable): [string, string][] {
  const before = tradingDayBefore(today, timetable)
  const ranges: [string, string][] = [
    [addDays(today, -SPAN_DAYS), today],
    [before, today],
  ]
  const closed = Array.from({ length: SPAN_DAYS }, (_, n) => addDays(today, -n)).find(
    (day) => !isTradingDay(day, timetable),
  )
  if (closed !== undefined) ranges.push([tradingDayBefore(closed, timetable), closed])
  return ranges
}

/** Pages of one question that was answered, its sums on each. */
function walksOf(replies: readonly Reply[]): Reply[][] {
  const walks: Reply[][] = []
  for (const reply of replies) {
    if (reply.cont === '') walks.push([])
    if (isGood(reply)) walks.at(-1)?.push(reply)
  }
  return walks
}

const keyOf = (row: Row): string => `${textOf(row['ord_dt'])} ${textOf(row['ord_gno_brno'])} ${Number(row['odno'])}`

const eachOnce = (rows: readonly Row[]): Row[] => [...new Map(rows.map((row) => [keyOf(row), row])).values()]

const ROW: Judged = {
  name: '주문',
  source: SOURCE,
  rowName: (row) => `${textOf(row['ord_dt'])} ${textOf(row['odno'])}`,
}

const ROW_RELATIONS = [
  relation(
    'tot_ccld_qty rmn_qty rjct_qty cnc_cfrm_qty ord_qty',
    '체결·잔량·거부·취소 가운데 어느 것도 주문 수량을 넘지 않아야 합니다.',
    (of) => ['tot_ccld_qty', 'rmn_qty', 'rjct_qty', 'cnc_cfrm_qty'].every((one) => of(one) <= of('ord_qty')),
  ),
  relation(
    'cncl_cfrm_qty cnc_cfrm_qty',
    '두 가지로 적힌 취소 수량은 같아야 합니다.',
    (of) => of('cncl_cfrm_qty') === of('cnc_cfrm_qty'),
    false,
  ),
  relation(
    'tot_ccld_qty ord_qty',
    '체결 수량은 주문 수량을 넘지 않아야 합니다.',
    (of) => of('tot_ccld_qty') <= of('ord_qty'),
  ),
  relation(
    'tot_ccld_qty rmn_qty rjct_qty ord_qty',
    '체결 + 잔량 + 거부가 주문 수량을 넘지 않아야 합니다.',
    (of) => of('tot_ccld_qty') + of('rmn_qty') + of('rjct_qty') <= of('ord_qty'),
  ),
  relation(
    'tot_ccld_amt avg_prvs tot_ccld_qty',
    '체결 금액 = 평균가 × 체결 수량이어야 합니다.',
    (of) => Math.abs(of('tot_ccld_amt') - of('avg_prvs') * of('tot_ccld_qty')) <= of('tot_ccld_qty'),
  ),
]

/** Nothing of an order of an earlier day changes between two readings. */
function changedSince(rows: readonly Row[], today: string): Finding[] {
  const first = new Map<string, Row>()
  for (const row of rows) {
    const other = first.get(keyOf(row)) ?? row
    first.set(keyOf(row), other)
    if (textOf(row['ord_dt']) >= today) continue
    const fields = Object.keys(row).filter((field) => row[field] !== other[field])
    if (fields.length === 0) continue
    const came = fields.map((field) => `${field} ${String(other[field])}, ${String(row[field])}`).join('; ')
    const text = `지난 날의 주문 ${textOf(row['odno'])}이(가) 두 번 읽을 때 다르게 왔습니다. 어느 쪽이 맞는지 알 수 없으니 증권사 앱에서 확인해 주세요.`
    return [wrong(text, { fields, came, source: SOURCE })]
  }
  return []
}

function sumsOf(walk: readonly Reply[]): Finding[] {
  const sums = walk.slice(-1).flatMap((reply) => rowsOf(ORDER_SUMS, reply) ?? [])
  const rows = eachOnce(walk.flatMap((reply) => rowsOf(ORDERS, reply) ?? []))
  const judgedAs: Judged = { name: '주문·체결 합계', source: SOURCE }
  const average = relation(
    'pchs_avg_pric tot_ccld_amt tot_ccld_qty',
    '평균가 = 체결 금액 ÷ 체결 수량이어야 합니다.',
    (of) => of('tot_ccld_qty') === 0 || Math.abs(of('pchs_avg_pric') - of('tot_ccld_amt') / of('tot_ccld_qty')) < 1,
    false,
  )
  const costs = relation(
    'prsm_tlex_smtl tot_ccld_amt',
    '비용은 체결 금액의 1%를 넘지 않아야 합니다.',
    (of) => of('prsm_tlex_smtl') <= of('tot_ccld_amt') / 100,
    false,
  )
  return sums.flatMap((sum) => [
    ...judgeRelations(judgedAs, [average, costs], [sum]),
    ...judgeSum(judgedAs, sum, 'tot_ccld_qty', rows, 'tot_ccld_qty'),
    ...judgeSum(judgedAs, sum, 'tot_ccld_amt', rows, 'tot_ccld_amt'),
    ...judgeSum(
      judgedAs,
      sum,
      'tot_ord_qty',
      rows.filter((row) => Number(textOf(row['orgn_odno'])) === 0),
      'ord_qty',
    ),
  ])
}

/** Believed: several days together, unless the first or the last of them is a closed one. */
function rangesRefused(replies: readonly Reply[], timetable: Timetable): Finding[] {
  const found = new Map<string, Finding>()
  const more = { fields: ['INQR_STRT_DT', 'INQR_END_DT'], source: source('R', '4.7') }
  for (const reply of replies) {
    const { INQR_STRT_DT: from = '', INQR_END_DT: to = '' } = reply.params
    const isOpen = isTradingDay(from, timetable) && isTradingDay(to, timetable)
    const isRefused = codeOf(reply) === DAYS_REFUSED
    if (isRefused && isOpen && from < to)
      found.set(
        'days',
        note(
          `여러 날의 주문을 함께 주지 않고 하루씩만 줍니다(${from}~${to} 거절). 디거는 하루씩 다시 물으므로 조금 느릴 뿐입니다.`,
          more,
        ),
      )
    if (isRefused && isOpen && from === to)
      found.set(
        'day',
        wrong(
          `거래일 ${from}의 주문 목록을 거절했습니다. 그날의 체결을 알 수 없으니 자동매매를 시작하지 마세요.`,
          more,
        ),
      )
    if (!isRefused && isGood(reply) && !isOpen)
      found.set(
        'closed',
        note(`휴장일이 끼면 거절한다고 알고 있는데 ${from}~${to}의 주문을 주었습니다. 매매는 그대로입니다.`, more),
      )
  }
  return [...found.values()]
}

function changedLists(replies: readonly Reply[]): Finding[] {
  if (!replies.some((reply) => codeOf(reply) === CHANGED)) return []
  return [
    note('읽는 사이에 목록이 바뀌어 처음부터 다시 읽었습니다. 디거는 늘 이렇게 읽습니다.', {
      came: CHANGED,
      source: source('R', '4.7'),
    }),
  ]
}

function twice(walks: readonly (readonly Reply[])[]): Finding[] {
  const again = walks
    .map((walk) => walk.flatMap((reply) => rowsOf(ORDERS, reply) ?? []).map(keyOf))
    .flatMap((keys) => keys.filter((key, at) => keys.indexOf(key) < at))
  if (again.length === 0) return []
  return [
    note(
      `목록에 같은 주문이 두 번 나옵니다(${again.length}건, 처음은 ${again[0]}). 디거는 주문번호로 한 번만 셉니다.`,
      {
        fields: ['odno'],
        source: source('M', '1.5'),
      },
    ),
  ]
}

const unreadable = (rows: readonly { readonly what: string }[]): Finding[] =>
  rows.map(({ what }) =>
    wrong(`주문 한 줄을 읽지 못했습니다: ${what}. 그 종목의 자동매매는 멈춥니다.`, { source: SOURCE }),
  )
