import { afterAll, describe, expect, test } from 'vitest'
import { KisError, ProtocolError } from '../src/index.ts'
import type { KisBalance, KisEnv, KisExecutions, KisRest } from '../src/index.ts'
import { bad, clientOf, ok, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'
import { ORDER_ROW } from './ledger-rows.ts'

/**
 * Every call and every field it cannot do without: without it, or with something else in its place, there is no result
 * but an error of this package. A field that may be blank is a zero or an empty text.
 */
interface Case {
  readonly name: string
  readonly call: (rest: KisRest) => Promise<unknown>
  /** A good reply with one row or object, under the names that hold it. */
  readonly lists: Readonly<Record<string, Record<string, string>>>
  readonly objects: Readonly<Record<string, Record<string, string>>>
  /** `list.field`: must be there and be readable. */
  readonly needed: readonly string[]
  /** May be blank, must be a number otherwise. */
  readonly numbers: readonly string[]
  readonly env?: KisEnv
}

/** A row that cannot be read is named beside the others: here that is no result either. */
function whole<T extends KisBalance | KisExecutions>(result: T): T {
  const odd = result.unreadable?.[0]
  if (odd !== undefined) throw new ProtocolError(odd.what)
  return result
}

const period = { from: '20261116', to: '20261116' }
const ledgerNumbers = ['ord_unpr', 'tot_ccld_amt']
const CASES: readonly Case[] = [
  {
    name: 'executions',
    call: async (rest) => whole(await rest.executions(period)),
    lists: { output1: ORDER_ROW },
    objects: {},
    needed: ['ord_dt', 'odno', 'pdno', 'sll_buy_dvsn_cd', 'ord_qty', 'tot_ccld_qty', 'rmn_qty'],
    numbers: [...ledgerNumbers, 'rjct_qty'],
  },
  {
    name: 'open orders',
    call: (rest) => rest.openOrders(),
    lists: { output: { ...ORDER_ROW, psbl_qty: '6' } },
    objects: {},
    needed: ['odno', 'pdno', 'sll_buy_dvsn_cd', 'ord_qty', 'psbl_qty'],
    numbers: [...ledgerNumbers, 'tot_ccld_qty'],
  },
  {
    name: 'balance',
    call: async (rest) => whole(await rest.balance()),
    lists: {
      output1: { pdno: '005930', prdt_name: '삼성전자', hldg_qty: '4', ord_psbl_qty: '4', pchs_avg_pric: '69900.5' },
    },
    objects: { output2: { prvs_rcdl_excc_amt: '9720361', scts_evlu_amt: '282000' } },
    needed: ['pdno', 'hldg_qty', 'ord_psbl_qty', 'prvs_rcdl_excc_amt'],
    numbers: ['pchs_avg_pric', 'pchs_amt', 'prpr', 'evlu_pfls_amt', 'evlu_pfls_rt', 'scts_evlu_amt'],
  },
  {
    name: 'buyable',
    call: (rest) => rest.buyable('005930'),
    lists: {},
    objects: { output: { ord_psbl_cash: '5', nrcvb_buy_amt: '4', nrcvb_buy_qty: '3', psbl_qty_calc_unpr: '2' } },
    needed: ['ord_psbl_cash', 'nrcvb_buy_amt', 'nrcvb_buy_qty'],
    numbers: ['psbl_qty_calc_unpr'],
  },
  {
    name: 'sellable',
    call: (rest) => rest.sellable('005930'),
    lists: {},
    objects: { output: { ord_psbl_qty: '4' } },
    needed: ['ord_psbl_qty'],
    numbers: [],
  },
  {
    name: 'sellable on paper',
    call: (rest) => rest.sellable('005930'),
    lists: { output1: { pdno: '005930', hldg_qty: '4', ord_psbl_qty: '4' } },
    objects: { output2: { prvs_rcdl_excc_amt: '1' } },
    needed: ['ord_psbl_qty'],
    numbers: [],
    env: 'paper',
  },
  {
    name: 'quote',
    call: (rest) => rest.quote('005930'),
    lists: {},
    objects: { output: { stck_prpr: '70500', stck_sdpr: '70000', iscd_stat_cls_code: '55' } },
    needed: [],
    numbers: ['stck_prpr', 'stck_sdpr', 'stck_oprc', 'stck_hgpr', 'stck_lwpr', 'stck_mxpr', 'stck_llam', 'acml_vol'],
  },
  {
    name: 'order book',
    call: (rest) => rest.orderBook('005930'),
    lists: {},
    objects: { output1: { askp1: '70500', askp_rsqn1: '1' } },
    needed: [],
    numbers: ['askp1', 'askp_rsqn1', 'askp10', 'bidp1', 'bidp_rsqn10'],
  },
  {
    name: 'day candles',
    call: (rest) => rest.dayCandles('005930', '20261116', '20261116'),
    lists: { output2: { stck_bsop_date: '20261116', stck_clpr: '5', acml_vol: '1' } },
    objects: { output1: { hts_kor_isnm: '삼성전자', stck_prpr: '5' } },
    needed: [],
    numbers: ['stck_clpr', 'stck_oprc', 'stck_hgpr', 'stck_lwpr', 'acml_vol'],
  },
  {
    name: 'minute candles',
    call: (rest) => rest.minuteCandles('005930', '100000'),
    lists: { output2: { stck_bsop_date: '20261116', stck_cntg_hour: '095800', stck_prpr: '5' } },
    objects: {},
    needed: [],
    numbers: ['stck_prpr', 'stck_oprc', 'stck_hgpr', 'stck_lwpr', 'cntg_vol'],
  },
  {
    name: 'minutes of an earlier day',
    call: (rest) => rest.pastMinutes('005930', '20261113', '100000'),
    lists: { output2: { stck_bsop_date: '20261113', stck_cntg_hour: '095800', stck_prpr: '5' } },
    objects: {},
    needed: [],
    numbers: ['stck_prpr', 'stck_oprc', 'stck_hgpr', 'stck_lwpr', 'cntg_vol'],
  },
  {
    name: 'stock info',
    call: (rest) => rest.stockInfo('005930'),
    lists: {},
    objects: { output: { pdno: '005930', prdt_abrv_name: '삼성전자' } },
    needed: [],
    numbers: [],
  },
  {
    name: 'holidays',
    call: (rest) => rest.holidays('20261116'),
    lists: { output: { bass_dt: '20261116', opnd_yn: 'Y' } },
    objects: {},
    needed: ['bass_dt'],
    numbers: [],
  },
  {
    name: 'period profit',
    call: (rest) => rest.periodProfit('20261101', '20261116'),
    lists: { output1: { trad_dt: '20261116', buy_amt: '1' } },
    objects: { output2: { tot_rlzt_pfls: '-3' } },
    needed: ['trad_dt'],
    numbers: ['buy_amt', 'sll_amt', 'rlzt_pfls', 'fee', 'tl_tax', 'tot_rlzt_pfls', 'tot_fee', 'tot_tltx'],
  },
  {
    name: 'period trade profit',
    call: (rest) => rest.periodTradeProfit('20261101', '20261116'),
    lists: { output1: { trad_dt: '20261116', pdno: '00000A003550' } },
    objects: {},
    needed: ['trad_dt', 'pdno'],
    numbers: ['sll_qty', 'buy_amt', 'sll_amt', 'rlzt_pfls', 'fee', 'tl_tax'],
  },
]

/** The good reply with one field of each row and object that has it set to something else; undefined takes it away. */
function replyOf({ lists, objects, needed }: Case, field = '', value?: unknown): Reply {
  const isIn = (fields: Record<string, string>): boolean => field in fields || !needed.includes(field)
  const change = (fields: Record<string, string>) =>
    field !== '' && isIn(fields) ? { ...fields, [field]: value } : fields
  const rows = Object.entries(lists).map(([key, row]) => [key, [change(row)]])
  const single = Object.entries(objects).map(([key, fields]) => [key, change(fields)])
  return { cont: 'D', body: ok(Object.fromEntries([...rows, ...single])) }
}
/** One broker and two clients for all cases: nearly a thousand replies are read here. */
const broker = await startBroker(() => undefined)
const clients = { real: clientOf(broker.url).rest, paper: clientOf(broker.url, { env: 'paper' }).rest }
afterAll(async () => {
  await clients.real.close()
  await clients.paper.close()
  await broker[Symbol.asyncDispose]()
})

const answerTo = ({ call, env = 'real' }: Case, reply: Reply): Promise<unknown> => {
  broker.answer = (seen) => (seen.path.startsWith('/oauth2/') ? undefined : reply)
  return call(clients[env]).then(
    () => null,
    (error: unknown) => error,
  )
}
const pairs = (fields: (one: Case) => readonly string[]): [string, string, Case][] =>
  CASES.flatMap((one) => fields(one).map((field): [string, string, Case] => [one.name, field, one]))

describe.each(CASES.map((one): [string, Case] => [one.name, one]))('%s', (_name, one) => {
  test('the good reply is read', async () => expect(await answerTo(one, replyOf(one))).toBeNull())

  test.each([...Object.keys(one.lists), ...Object.keys(one.objects)])('without %s: no result', async (key) => {
    for (const value of [undefined, null, 'x', 5, [['x']]]) {
      const all = {
        ...Object.fromEntries(Object.entries(one.lists).map(([name, row]) => [name, [row]])),
        ...one.objects,
      }
      expect(await answerTo(one, { cont: 'D', body: ok({ ...all, [key]: value }) })).toBeInstanceOf(ProtocolError)
    }
  })

  test('a refusal of the broker is an error with its code, never an empty result', async () => {
    for (const code of ['APBK0918', 'OPSQ2001', 'EGW00103']) {
      const error = await answerTo(one, { body: bad(code, '거절') })
      expect(error).toBeInstanceOf(KisError)
      expect(error).toMatchObject({ code, message: '거절' })
    }
  })
})

test.each(pairs(({ needed }) => needed))('%s: without %s, or unreadable, no result', async (_name, field, one) => {
  for (const value of [undefined, null, '', '   ', '(null)', {}, ['1'], true]) {
    expect(await answerTo(one, replyOf(one, field, value))).toBeInstanceOf(ProtocolError)
  }
})

test.each(pairs(({ numbers }) => numbers))(
  '%s: %s may be blank, and is a number otherwise',
  async (_name, field, one) => {
    for (const value of [undefined, null, '', ' ', '(null)', '0']) {
      expect(await answerTo(one, replyOf(one, field, value))).toBeNull()
    }
    for (const value of ['x', '1,000', '0x10', {}, ['1'], true]) {
      expect(await answerTo(one, replyOf(one, field, value))).toBeInstanceOf(ProtocolError)
    }
  },
)
