import { tickSize } from '@digger/core'
import { type Check, goodReplies, judged, orOk } from '../check.ts'
import { rowsOf } from '../expect/judge.ts'
import { BOOK, EXPECTED_PRICE } from '../expect/market-tables.ts'
import { doesNotFit, judgeRelations, relation } from '../expect/relations.ts'
import { type Finding, source } from '../finding.ts'
import { numberOf, type Row } from '../reply.ts'
import { likeQuote } from './candle-relations.ts'

const SOURCE = source('D', '3.3')
const JUDGED = { name: '호가', source: SOURCE }
const LEVELS = Array.from({ length: 10 }, (_, i) => i + 1)

const RELATIONS = [
  relation(
    'ntby_aspr_rsqn total_bidp_rsqn total_askp_rsqn',
    '순매수 잔량 = 매수 잔량 − 매도 잔량이어야 합니다.',
    (of) => of('total_bidp_rsqn') - of('total_askp_rsqn') === of('ntby_aspr_rsqn'),
    false,
  ),
  relation(
    'bidp1 askp1',
    '매수 1호가는 매도 1호가보다 낮아야 합니다.',
    (of) => of('bidp1') === 0 || of('askp1') === 0 || of('bidp1') < of('askp1'),
  ),
  relation(
    'askp10 askp9',
    '호가 사이가 너무 멉니다: 10호가는 9호가의 두 배를 넘지 않아야 합니다.',
    (of) => of('askp9') === 0 || of('askp10') <= of('askp9') * 2,
  ),
]

const EXPECTED_RELATIONS = [
  relation(
    'stck_lwpr stck_oprc stck_prpr stck_hgpr',
    '저가 ≤ 시가·현재가 ≤ 고가여야 합니다.',
    (of) =>
      of('stck_hgpr') === 0 ||
      ['stck_oprc', 'stck_prpr'].every((one) => of('stck_lwpr') <= of(one) && of(one) <= of('stck_hgpr')),
    false,
  ),
  relation(
    'stck_hgpr stck_sdpr',
    '고가는 기준가의 30% 안이어야 합니다.',
    (of) => of('stck_hgpr') <= of('stck_sdpr') * 1.31,
    false,
  ),
]

export const bookCheck: Check = {
  key: 'book',
  name: '호가 10단계',
  source: SOURCE,
  async run(examiner) {
    const { code } = examiner.subject
    const asked = await examiner.ask((rest) => rest.orderBook(code))
    const rows = goodReplies(asked).flatMap((reply) => rowsOf(BOOK, reply) ?? [])
    const expected = goodReplies(asked).flatMap((reply) => rowsOf(EXPECTED_PRICE, reply) ?? [])
    return orOk(
      [
        ...judged(examiner, asked, '호가'),
        ...judgeRelations(JUDGED, RELATIONS, rows),
        ...likeQuote(examiner, asked, EXPECTED_PRICE),
        ...judgeRelations(JUDGED, EXPECTED_RELATIONS, expected),
        ...rows.flatMap((row) => [...sideOf(row, 'askp', 1), ...sideOf(row, 'bidp', -1)]),
      ],
      '호가가 순서대로 있고 잔량의 합이 맞습니다.',
      SOURCE,
    )
  },
}

/** Best first, no price twice, each on the grid, and the counts summed. */
function sideOf(row: Row, side: 'askp' | 'bidp', direction: 1 | -1): Finding[] {
  const prices = LEVELS.map((level) => numberOf(row, `${side}${level}`))
  const counts = LEVELS.map((level) => numberOf(row, `${side}_rsqn${level}`))
  if ([...prices, ...counts].some(Number.isNaN)) return []
  const findings: Finding[] = []
  for (const [at, price] of prices.entries()) {
    const before = prices[at - 1] ?? 0
    const isOrdered = price === 0 || before === 0 || (price - before) * direction > 0
    const fields = at === 0 ? [`${side}1`] : [`${side}${at}`, `${side}${at + 1}`]
    if (!isOrdered)
      findings.push(doesNotFit(JUDGED, { fields, text: '호가는 좋은 값부터 차례로여야 합니다.', isRead: true }, row))
    if (price > 0 && price % tickSize(price, 'etf') !== 0)
      findings.push(
        doesNotFit(
          JUDGED,
          { fields: [`${side}${at + 1}`], text: '호가는 호가 단위에 맞아야 합니다.', isRead: true },
          row,
        ),
      )
  }
  const total = numberOf(row, `total_${side}_rsqn`)
  const sum = counts.reduce((all, count) => all + count, 0)
  if (!Number.isNaN(total) && total !== sum) {
    const fields = [`total_${side}_rsqn`, ...LEVELS.map((level) => `${side}_rsqn${level}`)]
    findings.push(doesNotFit(JUDGED, { fields, text: `잔량의 합 ${sum}이 총 잔량이어야 합니다.`, isRead: false }, row))
  }
  return findings
}
