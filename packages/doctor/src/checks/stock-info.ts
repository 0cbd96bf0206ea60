import { type Check, goodReplies, judged, orOk } from '../check.ts'
import { rowsOf } from '../expect/judge.ts'
import { STOCK_INFO } from '../expect/market-tables.ts'
import { source } from '../finding.ts'

const SOURCE = source('S', '3.6')

export const stockInfoCheck: Check = {
  key: 'stockInfo',
  name: '종목 정보',
  source: SOURCE,
  async run(examiner) {
    const { code } = examiner.subject
    const asked = await examiner.ask((rest) => rest.stockInfo(code))
    if (asked.value !== null) examiner.seen.info = asked.value
    const [row] = goodReplies(asked).flatMap((reply) => rowsOf(STOCK_INFO, reply) ?? [])
    if (row !== undefined) examiner.seen.infoRow = row
    return orOk(judged(examiner, asked, '종목 정보'), `${code}의 이름, 시장, NXT 거래 여부를 읽었습니다.`, SOURCE)
  },
}
