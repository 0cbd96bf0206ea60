import { type Check, goodReplies, judged, orOk } from '../check.ts'
import type { Examiner } from '../examined.ts'
import { BUYABLE, SELLABLE } from '../expect/account-tables.ts'
import { rowsOf } from '../expect/judge.ts'
import { isNear, type Judged, judgeRelations, relation } from '../expect/relations.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { numberOf, textOf, type Row } from '../reply.ts'

const SOURCE = source('D', '4.5')
const JUDGED: Judged = { name: '매수 가능', source: SOURCE }

/** Costs the broker may set aside on top, as a share of the amount. */
const MAX_COST = 0.005

const RELATIONS = [
  relation(
    'max_buy_qty max_buy_amt psbl_qty_calc_unpr',
    '최대 수량은 최대 금액 ÷ 계산 단가여야 합니다.',
    (of) => {
      const [count, won, price] = [of('max_buy_qty'), of('max_buy_amt'), of('psbl_qty_calc_unpr')]
      return price === 0 || (count * price <= won && (count + 1) * price * (1 + MAX_COST) >= won)
    },
    false,
  ),
  relation(
    'nrcvb_buy_amt ord_psbl_cash',
    '미수 없는 매수 금액은 주문 가능 현금을 넘지 않아야 합니다.',
    (of) => of('nrcvb_buy_amt') <= of('ord_psbl_cash'),
  ),
  relation('nrcvb_buy_qty nrcvb_buy_amt psbl_qty_calc_unpr', '미수 없는 수량은 금액 ÷ 계산 단가여야 합니다.', (of) => {
    const [count, won, price] = [of('nrcvb_buy_qty'), of('nrcvb_buy_amt'), of('psbl_qty_calc_unpr')]
    return price === 0 || (count * price <= won && (count + 1) * price * (1 + MAX_COST) >= won)
  }),
  relation(
    'max_buy_qty nrcvb_buy_qty',
    '최대 수량은 미수 없는 수량 이상이어야 합니다.',
    (of) => of('max_buy_qty') >= of('nrcvb_buy_qty'),
    false,
  ),
  relation(
    'max_buy_amt nrcvb_buy_amt',
    '최대 금액은 미수 없는 금액 이상이어야 합니다.',
    (of) => of('max_buy_amt') >= of('nrcvb_buy_amt'),
    false,
  ),
]

export const buyableCheck: Check = {
  key: 'buyable',
  name: '매수 가능 금액',
  source: SOURCE,
  async run(examiner) {
    const asked = await examiner.ask((rest) => rest.buyable(examiner.subject.code))
    const rows = goodReplies(asked).flatMap((reply) => rowsOf(BUYABLE, reply) ?? [])
    return orOk(
      [
        ...judged(examiner, asked, '매수 가능'),
        ...judgeRelations(JUDGED, RELATIONS, rows),
        ...rows.flatMap((row) => [...priced(examiner, row), ...cash(examiner, row)]),
      ],
      '미수 없는 금액과 수량이 상한가로 셈한 것과 맞습니다.',
      SOURCE,
    )
  },
}

/** A market order is reckoned at the day's upper limit. */
function priced({ seen: { upper } }: Examiner, row: Row): Finding[] {
  const price = numberOf(row, 'psbl_qty_calc_unpr')
  if (upper === undefined || Number.isNaN(price) || price === upper) return []
  return [
    wrong(
      `시장가 매수 가능 수량을 상한가 ${upper}원으로 셈한다고 알고 있는데 증권사는 ${price}원으로 셈했습니다. 살 수 있는 수량을 다르게 볼 수 있습니다.`,
      {
        fields: ['psbl_qty_calc_unpr'],
        source: SOURCE,
      },
    ),
  ]
}

/** Cash that may be ordered for is the deposit of D+2 without what rests in orders. */
function cash({ seen: { deposit } }: Examiner, row: Row): Finding[] {
  const won = numberOf(row, 'ord_psbl_cash')
  if (deposit === undefined || Number.isNaN(won) || won <= Math.max(0, deposit)) return []
  const text = `주문 가능 현금 ${won}원이 D+2 예수금 ${deposit}원보다 많습니다. 다른 예수금이나 대용금이 더해진 것일 수 있습니다. 디거는 미수 없는 금액만 씁니다.`
  return [note(text, { fields: ['ord_psbl_cash'], source: SOURCE })]
}

const SELL_SOURCE = source('D', '4.6')

export const sellableCheck: Check = {
  key: 'sellable',
  name: '매도 가능 수량',
  source: SELL_SOURCE,
  async run(examiner) {
    const held = (examiner.seen.holdings ?? []).find((row) => numberOf(row, 'hldg_qty') > 0)
    const code = held === undefined ? examiner.subject.code : textOf(held['pdno'])
    const asked = await examiner.ask((rest) => rest.sellable(code))
    const isReal = examiner.subject.rest.env === 'real'
    const rows = isReal ? goodReplies(asked).flatMap((reply) => rowsOf(SELLABLE, reply) ?? []) : []
    return orOk(
      [
        ...judged(examiner, asked, '매도 가능'),
        ...judgeRelations({ name: `${code} 매도 가능`, source: SELL_SOURCE }, SELL_RELATIONS, rows),
        ...rows.flatMap((row) => (held === undefined ? [] : likeBalance(row, held, code))),
      ],
      '매도 가능 수량이 잔고와 같습니다.',
      SELL_SOURCE,
    )
  },
}

const SELL_RELATIONS = [
  relation(
    'evlu_amt now_pric cblc_qty',
    '평가 금액 = 현재가 × 수량이어야 합니다.',
    (of) => of('evlu_amt') === of('now_pric') * of('cblc_qty'),
    false,
  ),
  relation(
    'evlu_pfls_amt evlu_amt pchs_amt',
    '평가 손익 = 평가 금액 − 매입 금액이어야 합니다.',
    (of) => isNear(of('evlu_pfls_amt'), of('evlu_amt') - of('pchs_amt'), 1),
    false,
  ),
  relation(
    'evlu_pfls_rt evlu_pfls_amt pchs_amt',
    '수익률 = 평가 손익 ÷ 매입 금액(%)이어야 합니다.',
    (of) => of('pchs_amt') === 0 || isNear(of('evlu_pfls_rt'), (of('evlu_pfls_amt') / of('pchs_amt')) * 100, 0.011),
    false,
  ),
  relation(
    'pchs_amt pchs_avg_pric cblc_qty',
    '매입 금액 = 평균 단가 × 수량이어야 합니다.',
    (of) => isNear(of('pchs_amt'), of('pchs_avg_pric') * of('cblc_qty'), of('cblc_qty') * 0.0001 + 1),
    false,
  ),
]

/** The same counts under other names. */
const SAME = [
  ['ord_psbl_qty', 'ord_psbl_qty', true],
  ['cblc_qty', 'hldg_qty', false],
  ['buy_qty', 'thdt_buyqty', false],
  ['sll_qty', 'thdt_sll_qty', false],
  ['pchs_amt', 'pchs_amt', false],
] as const

const likeBalance = (row: Row, held: Row, code: string): Finding[] =>
  SAME.flatMap(([field, other, isRead]) =>
    judgeRelations(
      { name: `${code} 매도 가능`, source: SELL_SOURCE },
      [
        relation(
          `${field} balance`,
          `${field}는 잔고의 ${other}와 같아야 합니다.`,
          (of) => of(field) === of('balance'),
          isRead,
        ),
      ],
      [{ ...row, balance: held[other] }],
    ),
  )
