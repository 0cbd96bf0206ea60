import { expect, test } from 'vitest'
import { NotSentError, UNLIMITED } from '../src/index.ts'
import { NOW, bad, clientOf, ok, startBroker } from './broker.ts'
import type { Answering } from './broker.ts'
import { ORDER_ROW } from './ledger-rows.ts'

/** A client whose clock moves on by a second each time the broker is asked something. */
async function withClock<T>(answer: Answering, use: (rest: ReturnType<typeof clientOf>['rest']) => Promise<T>) {
  let now = NOW
  await using broker = await startBroker((seen, nth) => {
    if (seen.path.startsWith('/oauth2/')) return undefined
    now += 1_000
    return answer(seen, nth)
  })
  const { rest } = clientOf(broker.url, { now: () => now })
  try {
    return await use(rest)
  } finally {
    await rest.close()
  }
}

const CASH = { ord_psbl_cash: '1200000', nrcvb_buy_amt: '1000000', nrcvb_buy_qty: '10', psbl_qty_calc_unpr: '91000' }

test('buyable: the account’s cash, the price used, and when the query left', async () => {
  const cash = await withClock(
    () => ({ body: ok({ output: CASH }) }),
    (rest) => rest.buyable('005930'),
  )
  expect(cash).toEqual({ count: 10, price: 91_000, amount: 1_000_000, cash: 1_200_000, leftAt: NOW })
})

test('sent twice, the time is that of the attempt that was answered', async () => {
  const cash = await withClock(
    (_, nth) => (nth === 1 ? { status: 500, body: bad('EGW00300') } : { body: ok({ output: CASH }) }),
    (rest) => rest.buyable('005930'),
  )
  expect(cash.leftAt).toBe(NOW + 1_000)
})

test('the age of a query that waits counts from when it left', async () => {
  await using broker = await startBroker((seen) =>
    seen.path.startsWith('/oauth2/') ? undefined : { body: ok({ output: CASH }) },
  )
  const { rest } = clientOf(broker.url, { now: Date.now, limits: { ...UNLIMITED, ledgerSpacingMs: 300 } })
  await rest.buyable('005930')
  const asked = Date.now()
  const { leftAt } = await rest.buyable('005930')
  expect(leftAt - asked).toBeGreaterThan(200)
  await rest.close()
})

const page = (nth: number) => ({
  cont: nth === 1 ? 'M' : 'D',
  body: ok({ ctx_area_fk100: 'f', ctx_area_nk100: `n${nth}`, output1: [{ ...ORDER_ROW, odno: String(nth) }] }),
})

test('executions and balance: when the first page left', async () => {
  const list = await withClock(
    (_, nth) => page(nth),
    (rest) => rest.executions({ from: '20261116', to: '20261116' }),
  )
  expect([list.length, list.leftAt]).toEqual([2, NOW])
  const sums = [{ prvs_rcdl_excc_amt: '5', scts_evlu_amt: '0' }]
  const balance = await withClock(
    () => ({ cont: 'D', body: ok({ output1: [], output2: sums }) }),
    (rest) => rest.balance(),
  )
  expect(balance.leftAt).toBe(NOW)
})

test('executions of more than three months: when the first page of the older half left', async () => {
  const list = await withClock(
    (_, nth) => ({ ...page(nth), cont: 'D' }),
    (rest) => rest.executions({ from: '20260601', to: '20261116' }),
  )
  expect([list.length, list.leftAt]).toEqual([2, NOW])
})

test('a query whose caller has given up is never sent', async () => {
  await using broker = await startBroker((seen) =>
    seen.path.startsWith('/oauth2/') ? undefined : { body: ok({ output: CASH }) },
  )
  const { rest } = clientOf(broker.url, { limits: { ...UNLIMITED, ledgerSpacingMs: 60_000 } })
  await rest.buyable('005930')
  const late = rest.buyable('000660', 100)
  await expect.poll(() => rest.queue().ledger.waiting).toBe(1)
  await expect(late).rejects.toThrow(NotSentError)
  expect([broker.seen.length, rest.queue().ledger]).toEqual([1, { waiting: 0, peak: 1, oldestMs: 0 }])
  await rest.close()
})
