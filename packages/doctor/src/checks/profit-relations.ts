import { isNear, type Relation, relation } from '../expect/relations.ts'

const plus = (total: string, a: string, b: string): Relation =>
  relation(`${total} ${a} ${b}`, `${total} = ${a} + ${b}여야 합니다.`, (of) => of(total) === of(a) + of(b), false)

/** Of the sums of a period: what of both sides stands beside what of each. `bought`: its name differs between the two calls. */
export const totals = (bought: string): Relation[] => [
  plus('tot_qty', bought, 'sll_qty_smtl'),
  plus('tot_tr_amt', 'buy_tr_amt_smtl', 'sll_tr_amt_smtl'),
  plus('tot_fee', 'buy_fee_smtl', 'sll_fee_smtl'),
  plus('tot_tltx', 'buy_tax_smtl', 'sll_tltx_smtl'),
  relation(
    'sll_excc_amt_smtl sll_tr_amt_smtl sll_fee_smtl sll_tltx_smtl',
    '매도 정산 = 매도 − 수수료 − 세금이어야 합니다.',
    (of) => of('sll_excc_amt_smtl') === of('sll_tr_amt_smtl') - of('sll_fee_smtl') - of('sll_tltx_smtl'),
    false,
  ),
  relation(
    'buy_excc_amt_smtl buy_tr_amt_smtl buy_fee_smtl',
    '매수 정산 = 매수 + 수수료여야 합니다.',
    (of) => of('buy_excc_amt_smtl') === of('buy_tr_amt_smtl') + of('buy_fee_smtl'),
    false,
  ),
  relation(
    'tot_excc_amt sll_excc_amt_smtl buy_excc_amt_smtl',
    '전체 정산 = 매도 정산 − 매수 정산이어야 합니다.',
    (of) => of('tot_excc_amt') === of('sll_excc_amt_smtl') - of('buy_excc_amt_smtl'),
    false,
  ),
]

/** Of the sales of one stock on one day. `pchs_unpr` is cut to a won, or is not: a won a share either way. */
export const TRADE_RELATIONS = [
  relation('sll_amt sll_pric sll_qty', '매도 금액 = 매도 단가 × 수량이어야 합니다.', (of) =>
    isNear(of('sll_amt'), of('sll_pric') * of('sll_qty'), of('sll_qty')),
  ),
  relation(
    'pfls_rt rlzt_pfls pchs_unpr sll_qty',
    '손익률 = 실현손익 ÷ 매입 금액이어야 합니다.',
    (of) =>
      of('sll_qty') === 0 || isNear(of('pfls_rt'), (of('rlzt_pfls') / (of('pchs_unpr') * of('sll_qty'))) * 100, 0.05),
    false,
  ),
  relation(
    'rlzt_pfls sll_amt pchs_unpr sll_qty fee tl_tax',
    '실현손익 = 매도 − 매입 − 수수료 − 세금이어야 합니다.',
    (of) =>
      isNear(
        of('rlzt_pfls'),
        of('sll_amt') - of('pchs_unpr') * of('sll_qty') - of('fee') - of('tl_tax'),
        of('sll_qty') + 2,
      ),
  ),
]
