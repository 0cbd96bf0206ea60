import type { Market } from '@digger/core'
import type { Examiner } from '../examined.ts'
import { type Finding, note, source, wrong } from '../finding.ts'
import { numberOf, textOf, type Row } from '../reply.ts'
import { taxesOf } from './taxes.ts'

/** So many stocks are looked up for the tax they owe. */
const MAX_STOCKS = 5

interface Taxed {
  readonly market: Market
  readonly kind: 'stock' | 'etf'
}

/** What the broker kept of sales, against what Digger computes: where the row's whole amount is in orders that were read. */
export async function costsOf(examiner: Examiner, rows: readonly Row[]): Promise<Finding[]> {
  const issues = await issuesOf(examiner, rows)
  const found = new Map<string, Finding>()
  for (const row of rows) {
    const code = codeOf(row)
    const issue = issues.get(code)
    const amounts = sellAmounts(examiner.seen.orders ?? [], textOf(row['trad_dt']), code)
    const total = amounts.reduce((sum, amount) => sum + amount, 0)
    if (issue === undefined || amounts.length === 0 || total !== numberOf(row, 'sll_amt')) continue
    for (const [key, finding] of taxFinding(row, issue, amounts)) found.set(key, finding)
  }
  return [...found.values()]
}

const codeOf = (row: Row): string => textOf(row['pdno']).slice(-6)

async function issuesOf(examiner: Examiner, rows: readonly Row[]): Promise<ReadonlyMap<string, Taxed>> {
  const issues = new Map<string, Taxed>()
  for (const code of [...new Set(rows.map(codeOf))].slice(0, MAX_STOCKS)) {
    const { value } = await examiner.ask((rest) => rest.stockInfo(code))
    if (value) issues.set(code, value)
  }
  return issues
}

const sellAmounts = (orders: readonly Row[], day: string, code: string): number[] =>
  orders
    .filter((row) => textOf(row['ord_dt']) === day && textOf(row['pdno']) === code)
    .filter((row) => textOf(row['sll_buy_dvsn_cd']) === '01')
    .map((row) => numberOf(row, 'tot_ccld_amt'))
    .filter((amount) => amount > 0)

function taxFinding(row: Row, { market, kind }: Taxed, amounts: readonly number[]): [string, Finding][] {
  const tax = numberOf(row, 'tl_tax')
  const more = { fields: ['tl_tax'], came: `${tax}원`, source: source('?', '7.7') }
  if (Number.isNaN(tax) || (kind === 'etf' && tax === 0)) return []
  if (kind === 'etf') {
    const text = `ETF를 팔 때 세금 ${tax}원을 떼었습니다. 디거의 "비용 뺀 손익"에는 ETF의 배당소득세가 들어 있지 않으니 그만큼 적게 남습니다.`
    return [['etf', note(text, more)]]
  }
  const { together, each } = taxesOf(amounts, market, textOf(row['trad_dt']))
  if (tax === together) return []
  if (tax === each) {
    const text =
      '거래세와 농특세를 따로 원 단위로 자릅니다. 디거는 합쳐서 자르므로 한 건에 1원쯤 다르게 보일 수 있습니다.'
    return [['each', note(text, more)]]
  }
  const text = `매도 세금을 ${together}원으로 셈하는데 증권사는 ${tax}원을 떼었습니다. 손익을 다르게 볼 수 있으니 관리자에게 알려 주세요.`
  return [['tax', wrong(text, more)]]
}
