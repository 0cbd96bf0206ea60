import { z } from 'zod'
import type { KisBalance, KisHolding } from '../api.ts'
import type { KisUnreadableHolding } from '../api-lists.ts'
import { readPages } from '../transport/pages.ts'
import { PAGE_ROWS } from '../wire/endpoints.ts'
import type { RestContext } from './context.ts'
import {
  decimalOrZero,
  parse,
  rawRow,
  readField,
  readRow,
  single,
  stockCode,
  text,
  whole,
  wholeOrZero,
  type RawRow,
} from './fields.ts'

const Row = z.object({
  pdno: stockCode,
  prdt_name: text,
  loan_dt: text,
  hldg_qty: whole,
  ord_psbl_qty: whole,
  pchs_avg_pric: decimalOrZero,
  pchs_amt: wholeOrZero,
  prpr: wholeOrZero,
  evlu_pfls_amt: wholeOrZero,
  evlu_pfls_rt: decimalOrZero,
})
const Rows = z.object({ output1: z.array(rawRow) })
const Sums = z.object({ output2: single(z.object({ prvs_rcdl_excc_amt: whole, scts_evlu_amt: wholeOrZero })) })

export async function getBalance(kis: RestContext): Promise<KisBalance> {
  const params = {
    ...kis.account,
    // Valued at the KRX close; positions are valued from quotes anyway.
    AFHR_FLPR_YN: 'N',
    OFL_YN: '',
    // One row per loan date. By issue (02) is refused since 2026-02-10 (the broker's notice of that day, quoted in
    // Soju06/python-kis pull request 82; refusals in its issue 81).
    INQR_DVSN: '01',
    UNPR_DVSN: '01',
    FUND_STTL_ICLD_YN: 'N',
    FNCG_AMT_AUTO_RDPT_YN: 'N',
    PRCS_DVSN: '00',
  }
  const { rows, last, leftAt } = await readPages(kis.calls, 'balance', params, {
    query: { priority: 'ledger', kind: 'balance' },
    rowsOf: (reply) => parse(Rows, reply, 'balance').output1,
    fullPage: PAGE_ROWS.balance[kis.env],
  })
  const { output2 } = parse(Sums, last, 'balance')
  return {
    ...readHoldings(kis, rows),
    depositAmount: output2.prvs_rcdl_excc_amt,
    stockValueAmount: output2.scts_evlu_amt,
    leftAt,
  }
}

/** Several loans of one issue are rows of their own; here they are one holding. */
function byIssue(rows: Iterable<KisHolding>): KisHolding[] {
  const holdings = new Map<string, KisHolding>()
  for (const holding of rows) {
    const other = holdings.get(holding.code)
    holdings.set(holding.code, other ? together(other, holding) : holding)
  }
  return [...holdings.values()]
}

function together(a: KisHolding, b: KisHolding): KisHolding {
  const count = a.count + b.count
  const buyAmount = a.buyAmount + b.buyAmount
  const gainAmount = a.gainAmount + b.gainAmount
  return {
    ...a,
    count,
    sellableCount: a.sellableCount + b.sellableCount,
    averagePrice: (a.averagePrice * a.count + b.averagePrice * b.count) / count,
    buyAmount,
    gainAmount,
    gainRatio: buyAmount === 0 ? 0 : (gainAmount / buyAmount) * 100,
  }
}

/** What cannot be read stands beside the holdings: a fraction of a share that a person has of one stock must not hide all others. */
function readHoldings(
  kis: RestContext,
  raws: readonly RawRow[],
): Required<Pick<KisBalance, 'holdings' | 'credit' | 'unreadable'>> {
  // A list that moves while it is read may show a row on two pages: it is held once.
  const holdings = new Map<string, KisHolding>()
  const credit = new Map<string, KisHolding>()
  const unreadable: KisUnreadableHolding[] = []
  for (const raw of raws) {
    // Sold-out positions stay listed with 0 shares until they settle (D+2).
    if (readField(whole, raw['hldg_qty']) === 0) continue
    const read = readRow(Row, raw)
    if (!('row' in read)) unreadable.push(unreadableHolding(kis, raw, read.what))
    else if (isLoan(read.row)) credit.set(`${read.row.pdno} ${read.row.loan_dt}`, toHolding(read.row))
    else holdings.set(read.row.pdno, toHolding(read.row))
  }
  return { holdings: [...holdings.values()], credit: byIssue(credit.values()), unreadable }
}

/** A row with the day of a loan. Shares held with cash have none. */
const isLoan = ({ loan_dt }: z.output<typeof Row>): boolean => /[1-9]/.test(loan_dt)

function unreadableHolding(kis: RestContext, raw: RawRow, what: string): KisUnreadableHolding {
  const code = readField(stockCode, raw['pdno'])
  kis.oddities.report(`balance: stock ${code ?? 'without a code'} cannot be read: ${what}`)
  return { code, what }
}

const toHolding = (row: z.output<typeof Row>): KisHolding => ({
  code: row.pdno,
  name: row.prdt_name,
  count: row.hldg_qty,
  sellableCount: row.ord_psbl_qty,
  averagePrice: row.pchs_avg_pric,
  buyAmount: row.pchs_amt,
  price: row.prpr,
  gainAmount: row.evlu_pfls_amt,
  gainRatio: row.evlu_pfls_rt,
})
