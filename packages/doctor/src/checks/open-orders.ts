import { kstDay } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import { OPEN_ORDERS } from '../expect/account-tables.ts'
import { rowsOf } from '../expect/judge.ts'
import { type Judged, judgeRelations, relation } from '../expect/relations.ts'
import { type Finding, source, wrong } from '../finding.ts'
import { numberOf, textOf, type Row } from '../reply.ts'
import type { Examiner } from '../examined.ts'

const SOURCE = source('S', '4.6')
const ROW: Judged = { name: '걸린 주문', source: SOURCE, rowName: (row) => textOf(row['odno']) }

const RELATIONS = [
  relation(
    'psbl_qty tot_ccld_qty ord_qty',
    '남은 수량 + 체결 수량 = 주문 수량이어야 합니다.',
    (of) => of('psbl_qty') + of('tot_ccld_qty') === of('ord_qty'),
  ),
  relation(
    'tot_ccld_amt tot_ccld_qty',
    '체결이 없으면 체결 금액도 0이어야 합니다.',
    (of) => of('tot_ccld_qty') > 0 === of('tot_ccld_amt') > 0,
  ),
]

export const openOrdersCheck: Check = {
  key: 'openOrders',
  name: '걸린 주문',
  source: SOURCE,
  async run(examiner) {
    const asked = await examiner.ask((rest) => rest.openOrders())
    const isReal = examiner.subject.rest.env === 'real'
    const rows = isReal ? goodReplies(asked).flatMap((reply) => rowsOf(OPEN_ORDERS, reply) ?? []) : []
    return orOk(
      [
        ...judged(examiner, asked, '걸린 주문'),
        ...judgeRelations(ROW, RELATIONS, rows),
        ...rows.flatMap((row) => likeList(examiner, row)),
      ],
      '걸린 주문이 주문·체결 목록과 같습니다.',
      SOURCE,
    )
  },
}

const SAME = ['ord_qty', 'ord_unpr', 'sll_buy_dvsn_cd', 'pdno', 'ord_tmd', 'ord_gno_brno'] as const

/** The same order in both lists. What fills between them is no difference. */
function likeList({ seen: { orders = [] }, subject }: Examiner, row: Row): Finding[] {
  const other = orders.find(
    (one) => Number(one['odno']) === Number(row['odno']) && textOf(one['ord_dt']) === kstDay(subject.now()),
  )
  if (other === undefined) return []
  const fields = SAME.filter((field) => textOf(row[field]) !== textOf(other[field]) && textOf(other[field]) !== '')
  if (fields.length === 0) return []
  const came = fields.map((field) => `${field} ${textOf(row[field])}, ${textOf(other[field])}`).join('; ')
  const left = numberOf(row, 'psbl_qty')
  return [
    wrong(
      `주문 ${textOf(row['odno'])}이(가) 두 목록에서 다릅니다(남은 ${left}주). 어느 쪽이 맞는지 알 수 없으니 증권사 앱에서 확인해 주세요.`,
      {
        fields,
        came,
        source: SOURCE,
      },
    ),
  ]
}
