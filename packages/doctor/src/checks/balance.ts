import { type Check, goodReplies, judged, orOk } from '../check.ts'
import { BALANCE_SUMS, HOLDINGS } from '../expect/account-tables.ts'
import { rowsOf } from '../expect/judge.ts'
import { isNear, type Judged, judgeRelations, judgeSum, relation } from '../expect/relations.ts'
import { note, source, wrong, type Finding } from '../finding.ts'
import { textOf, type Row } from '../reply.ts'

const SOURCE = source('D', '4.8')
const ROW: Judged = { name: '잔고', source: SOURCE, rowName: (row) => textOf(row['pdno']) }
const SUMS: Judged = { name: '잔고 합계', source: SOURCE }

const ROW_RELATIONS = [
  relation(
    'fltt_rt bfdy_cprs_icdc prpr',
    '등락률은 전일 대비 ÷ 전일 종가여야 합니다.',
    (of) => isNear(of('fltt_rt'), (of('bfdy_cprs_icdc') / (of('prpr') - of('bfdy_cprs_icdc'))) * 100, 0.011),
    false,
  ),
  relation(
    'ord_psbl_qty hldg_qty',
    '매도 가능 수량은 보유 수량을 넘지 않아야 합니다.',
    (of) => of('ord_psbl_qty') <= of('hldg_qty'),
  ),
  relation('pchs_amt pchs_avg_pric hldg_qty', '매입 금액 = 평균 단가 × 보유 수량이어야 합니다.', (of) =>
    isNear(of('pchs_amt'), of('pchs_avg_pric') * of('hldg_qty'), of('hldg_qty') * 0.0001 + 1),
  ),
  relation(
    'evlu_amt prpr hldg_qty',
    '평가 금액 = 현재가 × 보유 수량이어야 합니다.',
    (of) => of('evlu_amt') === of('prpr') * of('hldg_qty'),
  ),
  relation('evlu_pfls_amt evlu_amt pchs_amt', '평가 손익 = 평가 금액 − 매입 금액이어야 합니다.', (of) =>
    isNear(of('evlu_pfls_amt'), of('evlu_amt') - of('pchs_amt'), 1),
  ),
  relation(
    'evlu_pfls_rt evlu_pfls_amt pchs_amt',
    '수익률 = 평가 손익 ÷ 매입 금액(%)이어야 합니다.',
    (of) => of('pchs_amt') === 0 || isNear(of('evlu_pfls_rt'), (of('evlu_pfls_amt') / of('pchs_amt')) * 100, 0.011),
  ),
  relation(
    'evlu_erng_rt evlu_pfls_rt',
    '두 수익률은 소수점 아래 길이만 달라야 합니다.',
    (of) => isNear(of('evlu_erng_rt'), of('evlu_pfls_rt'), 0.011),
    false,
  ),
]

const SUM_RELATIONS = [
  relation(
    'nass_amt tot_evlu_amt tot_loan_amt',
    '순자산 = 총평가 − 대출이어야 합니다.',
    (of) => of('nass_amt') === of('tot_evlu_amt') - of('tot_loan_amt'),
    false,
  ),
  relation(
    'nxdy_excc_amt dnca_tot_amt bfdy_buy_amt bfdy_sll_amt bfdy_tlex_amt',
    'D+1 예수금 = 예수금 + 어제의 매도 − 매수 − 비용이어야 합니다.',
    (of) => of('nxdy_excc_amt') === of('dnca_tot_amt') + of('bfdy_sll_amt') - of('bfdy_buy_amt') - of('bfdy_tlex_amt'),
    false,
  ),
  relation(
    'prvs_rcdl_excc_amt nxdy_excc_amt thdt_buy_amt thdt_sll_amt thdt_tlex_amt',
    'D+2 예수금 = D+1 예수금 + 오늘의 매도 − 매수 − 비용이어야 합니다.',
    (of) =>
      of('prvs_rcdl_excc_amt') === of('nxdy_excc_amt') + of('thdt_sll_amt') - of('thdt_buy_amt') - of('thdt_tlex_amt'),
  ),
  relation(
    'asst_icdc_amt nass_amt bfdy_tot_asst_evlu_amt',
    '자산 증감 = 순자산 − 어제 자산이어야 합니다.',
    (of) => of('asst_icdc_amt') === of('nass_amt') - of('bfdy_tot_asst_evlu_amt'),
    false,
  ),
  relation(
    'tot_evlu_amt scts_evlu_amt prvs_rcdl_excc_amt',
    '총평가 = 주식 평가 + D+2 예수금이어야 합니다.',
    (of) => of('tot_evlu_amt') === of('scts_evlu_amt') + of('prvs_rcdl_excc_amt'),
  ),
  relation(
    'evlu_pfls_smtl_amt evlu_amt_smtl_amt pchs_amt_smtl_amt',
    '평가 손익 합 = 평가 합 − 매입 합이어야 합니다.',
    (of) => isNear(of('evlu_pfls_smtl_amt'), of('evlu_amt_smtl_amt') - of('pchs_amt_smtl_amt'), 1),
    false,
  ),
]

export const balanceCheck: Check = {
  key: 'balance',
  name: '잔고와 예수금',
  source: SOURCE,
  async run(examiner) {
    const asked = await examiner.ask((rest) => rest.balance())
    const good = goodReplies(asked)
    const rows = good.flatMap((reply) => rowsOf(HOLDINGS, reply) ?? [])
    const sums = good.slice(-1).flatMap((reply) => rowsOf(BALANCE_SUMS, reply) ?? [])
    examiner.seen.holdings = rows
    if (asked.value) examiner.seen.deposit = asked.value.depositAmount
    return orOk(
      [
        ...judged(examiner, asked, '잔고'),
        ...judgeRelations(ROW, ROW_RELATIONS, rows),
        ...judgeRelations(SUMS, SUM_RELATIONS, sums),
        ...sums.flatMap((sum) => [
          ...judgeSum(SUMS, sum, 'pchs_amt_smtl_amt', rows, 'pchs_amt'),
          ...judgeSum(SUMS, sum, 'evlu_amt_smtl_amt', rows, 'evlu_amt'),
          ...judgeSum(SUMS, sum, 'scts_evlu_amt', rows, 'evlu_amt', true),
        ]),
        ...twice(rows),
        ...(asked.value?.unreadable ?? []).map((one) =>
          wrong(
            `보유 종목 ${one.code ?? '코드 모름'}을(를) 읽지 못했습니다: ${one.what}. 이 종목은 자동매매에서 빠집니다.`,
            { source: SOURCE },
          ),
        ),
        ...((asked.value?.credit ?? []).length > 0
          ? [
              note('신용이나 대출로 산 종목이 있습니다. 디거는 현금으로 산 것만 팝니다.', {
                fields: ['loan_dt'],
                source: SOURCE,
              }),
            ]
          : []),
      ],
      `보유 ${rows.length}종목의 수량·금액과 합계가 서로 맞습니다.`,
      SOURCE,
    )
  },
}

function twice(rows: readonly Row[]): Finding[] {
  const names = rows.map((row) => `${textOf(row['pdno'])} ${textOf(row['loan_dt'])}`)
  const again = names.find((name, at) => names.indexOf(name) < at)
  if (again === undefined) return []
  return [
    note(`잔고에 ${again.trim()}이(가) 두 번 있습니다. 디거는 한 번만 셉니다.`, {
      fields: ['pdno'],
      source: source('M', '1.5'),
    }),
  ]
}
