import { addDays, kstDay } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import type { Examiner } from '../examined.ts'
import { DAY_PROFITS, DAY_PROFIT_SUMS, TRADE_PROFITS, TRADE_PROFIT_SUMS } from '../expect/account-tables.ts'
import { rowsOf } from '../expect/judge.ts'
import { type Judged, judgeRelations, judgeSum } from '../expect/relations.ts'
import { source } from '../finding.ts'
import { textOf } from '../reply.ts'
import { costsOf } from './costs.ts'
import { totals, TRADE_RELATIONS } from './profit-relations.ts'

const SOURCE = source('S', '4.9')
const SPAN_DAYS = 30

function rangeOf({ subject }: Examiner): [string, string] {
  const today = kstDay(subject.now())
  return [addDays(today, -SPAN_DAYS), today]
}

export const dayProfitCheck: Check = {
  key: 'dayProfit',
  name: '기간 손익',
  source: SOURCE,
  async run(examiner) {
    const [from, to] = rangeOf(examiner)
    const asked = await examiner.ask((rest) => rest.periodProfit(from, to))
    const good = goodReplies(asked)
    const rows = good.flatMap((reply) => rowsOf(DAY_PROFITS, reply) ?? [])
    const sums = good.slice(-1).flatMap((reply) => rowsOf(DAY_PROFIT_SUMS, reply) ?? [])
    const judgedAs: Judged = { name: '기간 손익', source: SOURCE }
    return orOk(
      [
        ...judged(examiner, asked, '기간 손익'),
        ...sums.flatMap((sum) => [
          ...judgeSum(judgedAs, sum, 'tot_rlzt_pfls', rows, 'rlzt_pfls', true),
          ...judgeSum(judgedAs, sum, 'tot_fee', rows, 'fee', true),
          ...judgeSum(judgedAs, sum, 'tot_tltx', rows, 'tl_tax', true),
          ...judgeSum(judgedAs, sum, 'sll_tr_amt_smtl', rows, 'sll_amt'),
          ...judgeSum(judgedAs, sum, 'buy_tr_amt_smtl', rows, 'buy_amt'),
          ...judgeSum(judgedAs, sum, 'sll_qty_smtl', rows, 'sll_qty1'),
          ...judgeSum(judgedAs, sum, 'buy_qty_smtl', rows, 'buy_qty1'),
        ]),
        ...judgeRelations(judgedAs, totals('buy_qty_smtl'), sums),
      ],
      `${SPAN_DAYS}일의 실현손익, 수수료, 세금과 그 합계가 맞습니다.`,
      SOURCE,
    )
  },
}

export const tradeProfitCheck: Check = {
  key: 'tradeProfit',
  name: '종목별 손익과 세금',
  source: SOURCE,
  async run(examiner) {
    const [from, to] = rangeOf(examiner)
    const asked = await examiner.ask((rest) => rest.periodTradeProfit(from, to))
    const good = goodReplies(asked)
    const rows = good.flatMap((reply) => rowsOf(TRADE_PROFITS, reply) ?? [])
    const sums = good.slice(-1).flatMap((reply) => rowsOf(TRADE_PROFIT_SUMS, reply) ?? [])
    const judgedAs: Judged = {
      name: '종목별 손익',
      source: SOURCE,
      rowName: (row) => `${textOf(row['trad_dt'])} ${textOf(row['pdno'])}`,
    }
    return orOk(
      [
        ...judged(examiner, asked, '종목별 손익'),
        ...judgeRelations(judgedAs, TRADE_RELATIONS, rows),
        ...sums.flatMap((sum) => [
          ...judgeSum(judgedAs, sum, 'tot_rlzt_pfls', rows, 'rlzt_pfls'),
          ...judgeSum(judgedAs, sum, 'tot_fee', rows, 'fee'),
          ...judgeSum(judgedAs, sum, 'tot_tltx', rows, 'tl_tax'),
          ...judgeSum(judgedAs, sum, 'sll_tr_amt_smtl', rows, 'sll_amt'),
          ...judgeSum(judgedAs, sum, 'sll_qty_smtl', rows, 'sll_qty'),
        ]),
        ...judgeRelations(judgedAs, totals('buyqty_smtl'), sums),
        ...(await costsOf(examiner, rows)),
      ],
      `${SPAN_DAYS}일의 종목별 손익 ${rows.length}건이 디거가 셈하는 수수료와 세금에 맞습니다.`,
      SOURCE,
    )
  },
}
