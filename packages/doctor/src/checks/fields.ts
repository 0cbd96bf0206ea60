import { type Check, orOk } from '../check.ts'
import { tablesOf } from '../expect/by-call.ts'
import { judgeTable, rowsOf } from '../expect/judge.ts'
import { judgeKeys } from '../expect/keys.ts'
import { STOCK_INFO } from '../expect/market-tables.ts'
import type { Table } from '../expect/table.ts'
import { eachOnce, type Finding, note, source } from '../finding.ts'
import { callOf, isGood, type Reply, type Row } from '../reply.ts'

const SOURCE = source('D', '1.3')

/** Of a code that does not exist almost nothing is filled in, and some fields are left out (kis-protocol 3.1). */
const NO_ISSUE = '999999'

/** Fields of all replies that no check has judged: what was asked in passing, and tokens that were had for it. */
export const fieldsCheck: Check = {
  key: 'fields',
  name: '그 밖의 응답',
  source: SOURCE,
  async run({ replies, judged, keyReplies }) {
    const left = replies.filter((reply) => isGood(reply) && !judged.has(reply))
    const found = left.flatMap((reply) => {
      const isOfNone = reply.params['FID_INPUT_ISCD'] === NO_ISSUE
      return tablesOf(reply).flatMap((table) => judgeTable(isOfNone ? shownOnly(table) : table, [reply]))
    })
    return orOk(
      eachOnce([...found, ...otherwise(replies), ...judgeKeys(keyReplies)]),
      `곁들여 물은 응답 ${left.length}건도 문서와 같습니다.`,
      SOURCE,
    )
  },
}

/** What was asked twice within the run about an issue itself is answered twice alike. */
function otherwise(replies: readonly Reply[]): Finding[] {
  const first = new Map<string, Row>()
  for (const reply of replies.filter((one) => isGood(one) && callOf(one) === 'search-stock-info'))
    for (const row of rowsOf(STOCK_INFO, reply) ?? []) {
      const code = reply.params['PDNO'] ?? ''
      const other = first.get(code) ?? row
      first.set(code, other)
      const fields = Object.keys(row).filter((field) => field !== 'thdt_clpr' && row[field] !== other[field])
      const text = `${code}의 종목 정보가 두 번 물을 때 다르게 왔습니다: ${fields.join(', ')}. 다시 점검해 주세요.`
      if (fields.length > 0) return [note(text, { fields, source: source('S', '3.6') })]
    }
  return []
}

/** Nothing of it is decided by. */
const shownOnly = (table: Table): Table => ({
  ...table,
  name: `없는 종목의 ${table.name}`,
  fields: new Map([...table.fields].map(([field, expected]) => [field, { ...expected, isRead: false }])),
})
