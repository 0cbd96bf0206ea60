import { afterAll, beforeAll, expect, test } from 'vitest'
import { BALANCE_SUMS, BUYABLE, HOLDINGS, OPEN_ORDERS, ORDERS } from '../src/expect/account-tables.ts'
import { BOOK, DAY_BARS, HOLIDAYS, MINUTE_BARS, PRICE, STOCK_INFO } from '../src/expect/market-tables.ts'
import { altered, type Alteration } from './altered/alteration.ts'
import { AlteredRuns } from './altered/runs.ts'
import { UNCHECKED } from './altered/unchecked.ts'
import { ordersAtExchange } from './fixture.ts'

let runs: AlteredRuns
beforeAll(async () => {
  runs = await AlteredRuns.start()
})
afterAll(() => runs[Symbol.asyncDispose]())

// Two hundred of them are `npm run prove -- altered`.
test('a field that is missing or written otherwise in any reply is named', async () => {
  const before = ordersAtExchange(runs.sim)
  for (let seed = 1001; seed <= 1020; seed += 1) {
    const outcome = await runs.run(seed)
    expect({ ...outcome, isNamed: outcome.isNamed || outcome.unchecked !== null }).toEqual({
      ...outcome,
      isNamed: true,
    })
  }
  expect(ordersAtExchange(runs.sim)).toBe(before)
  expect(runs.proxy.posts).toEqual([])
})

/** By the call and the field: what an alteration must do to trading. */
test.each<[string, string, Alteration['kind'], 'wrong' | 'note']>([
  ['inquire-price', 'stck_prpr', 'removed', 'wrong'],
  ['inquire-price', 'stck_sdpr', 'otherUnit', 'wrong'],
  ['inquire-price', 'temp_stop_yn', 'otherCode', 'wrong'],
  ['inquire-price', 'per', 'removed', 'note'],
  ['inquire-balance', 'hldg_qty', 'otherType', 'wrong'],
  ['inquire-balance', 'prvs_rcdl_excc_amt', 'otherUnit', 'wrong'],
  ['inquire-balance', 'sbst_pric', 'otherForm', 'note'],
  ['inquire-psbl-order', 'nrcvb_buy_qty', 'otherUnit', 'wrong'],
  ['inquire-daily-ccld', 'rmn_qty', 'removed', 'wrong'],
  ['inquire-daily-ccld', 'ord_qty', 'otherUnit', 'wrong'],
  ['inquire-daily-itemchartprice', 'stck_bsop_date', 'otherForm', 'wrong'],
  ['chk-holiday', 'opnd_yn', 'otherCode', 'wrong'],
  ['inquire-period-profit', 'tot_fee', 'otherUnit', 'wrong'],
])('%s %s %s: %s', async (call, field, kind, level) => {
  const { levels } = await runs.tryField(call, field, kind)
  expect(levels).toContain(level)
  expect(level === 'note' && levels.includes('wrong')).toBe(false)
})

test('an alteration changes one value and nothing else', () => {
  const body = { rt_cd: '0', output1: [{ a: '1' }, { a: '20' }] }
  const site = ['output1', 1, 'a']
  expect(altered(body, { site, kind: 'removed' })).toEqual({ rt_cd: '0', output1: [{ a: '1' }, {}] })
  expect(altered(body, { site, kind: 'otherUnit' })).toEqual({ rt_cd: '0', output1: [{ a: '1' }, { a: '20000' }] })
  expect(altered(body, { site, kind: 'otherForm' })).toEqual({ rt_cd: '0', output1: [{ a: '1' }, { a: '20원' }] })
  expect(altered(body, { site, kind: 'otherCode' })).toBeNull()
})

test('what no reading can check is nothing that Digger decides by', () => {
  const read = [
    PRICE,
    BOOK,
    DAY_BARS,
    MINUTE_BARS,
    STOCK_INFO,
    HOLIDAYS,
    HOLDINGS,
    BALANCE_SUMS,
    BUYABLE,
    ORDERS,
    OPEN_ORDERS,
  ]
  const decided = new Set(
    read.flatMap(({ fields }) => [...fields].flatMap(([field, { isRead }]) => (isRead ? [field] : []))),
  )
  const unchecked = [...UNCHECKED.keys()].filter(
    (name) => !name.startsWith('inquire-period') && !name.startsWith('bonus-issue'),
  )
  expect(unchecked.filter((name) => decided.has(name.split(' ')[1] ?? ''))).toEqual([])
})
