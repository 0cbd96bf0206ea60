import { createKis, type KisRest, UNLIMITED } from '@digger/kis'
import { afterEach, expect, test } from 'vitest'
import { demoCredentials, type Sim } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** The client reads from the pretend broker what its ledger holds: gains by day, and by day and stock. */
const ME = demoCredentials(0)
const CODE = '005930'
const DAY_MS = 86_400_000
/** More than a page of 100. */
const DAYS = 103

let sim: Sim
let rest: KisRest
afterEach(async () => {
  await rest.close()
  await sim.close()
})

function clientOf(): KisRest {
  rest = createKis({
    env: 'real',
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    credentials: ME,
    tokens: { load: async () => null, save: async () => undefined },
    now: () => sim.clock.now(),
    limits: UNLIMITED,
    retries: { attempts: 1 },
  }).rest
  return rest
}

test('over two pages, as sold day by day', async () => {
  sim = await stillSim({ clock: { mode: 'manual', start: at('10:00:00', '2026-06-01') } })
  sim.setBase(CODE, 70_000)
  const seller = await RawClient.login(sim, ME)
  for (let day = 0; day < DAYS; day++) {
    sim.setHolding(ME.accountNumber, CODE, 2, 69_000)
    sim.setPrice(CODE, 70_000, { aggressor: 'buy' })
    await seller.order({ side: 'sell', count: 2, division: '01' })
    await sim.clock.advance(DAY_MS)
    await seller.renew()
  }
  const kis = clientOf()
  const sales = await kis.periodTradeProfit('20260601', '20261231')
  const { days, gainAmount, fee, tax } = await kis.periodProfit('20260601', '20261231')
  expect(sales).toHaveLength(DAYS)
  expect(new Set(sales.map(({ day }) => day)).size).toBe(DAYS)
  expect(sales.map(({ day }) => day)).toEqual(days.map(({ day }) => day))
  expect(sales[0]).toMatchObject({ day: '20260601', code: CODE, name: '삼성전자', soldCount: 2, buyAmount: 0 })
  const sum = (pick: (sale: (typeof sales)[number]) => number) => sales.reduce((all, sale) => all + pick(sale), 0)
  expect([sum((sale) => sale.gainAmount), sum((sale) => sale.fee), sum((sale) => sale.tax)]).toEqual([
    gainAmount,
    fee,
    tax,
  ])
  for (const { sellAmount, gainAmount: gain, fee: paid, tax: kept } of sales)
    expect(gain).toBe(sellAmount - 138_000 - paid - kept)
})
