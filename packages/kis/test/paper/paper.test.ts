import type { Sim } from '@digger/kis-sim'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CODE, ME, not, paperBroker, run, tradingBroker } from './fixture.ts'
import { ORDER_CHECKS } from './order-checks.ts'
import { READINGS } from './run.ts'

let sim: Sim
beforeEach(async () => {
  sim = await tradingBroker()
})
afterEach(() => sim.close())

describe('against the pretend broker in its paper environment', () => {
  test('every reading passes, over pages, and nothing that writes is sent', async () => {
    for (let n = 0; n < 17; n++)
      sim.outsideTrade(ME.accountNumber, { code: CODE, side: 'buy', count: 1, price: sim.price(CODE) })
    const { outcomes, lines, writes } = await run(sim)
    expect(not(outcomes, 'passed')).toEqual([])
    expect(outcomes.size).toBe(READINGS.length)
    expect(writes).toEqual([])
    expect(lines).toContainEqual(expect.stringMatching(/^passed {4}balance: 25 stocks on 2 pages/))
    expect(lines).toContainEqual(expect.stringMatching(/of today.*: 17 orders over [2-9] pages, 0 open/))
    expect(lines).toContainEqual(expect.stringContaining('No order was sent.'))
  })

  test('trades that come are read', async () => {
    const { lines } = await run(sim, { trades: true })
    expect(lines).toContainEqual('passed    trades of KRX: registered; trades come in whole won')
  })

  test('one order, only when asked for: it rests, is cancelled, and none is left', async () => {
    const { outcomes, writes } = await run(sim, { orders: true })
    expect(not(outcomes, 'passed')).toEqual([])
    expect(outcomes.size).toBe(READINGS.length + ORDER_CHECKS.length)
    expect(writes).toHaveLength(2)
    expect(sim.liveOrders(ME.accountNumber)).toEqual([])
    const [order] = sim.orders(ME.accountNumber)
    expect([order?.code, order?.count, order?.filledCount]).toEqual([CODE, 1, 0])
    expect(order?.price).toBeLessThan(sim.price(CODE) * 0.8)
  })

  test('outside the hours no order can be tried, and that is no failure', async () => {
    await sim.close()
    sim = await paperBroker('203000')
    const { outcomes, lines } = await run(sim, { orders: true })
    expect([...outcomes.values()]).not.toContain('failed')
    expect(lines).toContainEqual(expect.stringMatching(/^left out .*the exchange is closed/))
  })

  test('without an HTS ID the rest is looked at', async () => {
    const { outcomes } = await run(sim, { env: { KIS_HTS_ID: undefined } })
    expect(not(outcomes, 'passed')).toEqual([
      'left out: connection in real time, with the notices of the HTS ID',
      'left out: trades of KRX',
    ])
  })
})

test.each([
  ['it was sent and no verdict came', { kind: 'loseReply', endpoint: 'orderBuy' }],
  ['it cannot be cancelled', { kind: 'refuse', code: '90020000', text: '서비스 지연', endpoint: 'orderRevise' }],
] as const)('an order that may be open is named, so that a person can see to it: %s', async (_name, fault) => {
  sim.faults.add(fault)
  const { lines, writes } = await run(sim, { orders: true })
  const live = sim.liveOrders(ME.accountNumber)
  expect(live).toHaveLength(1)
  const [order] = live
  const which = fault.kind === 'refuse' ? `number ${order?.odno}` : `one share of ${CODE} at ${order?.price} won`
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^failed .*ORDER MAY STILL BE OPEN: ${which}\\.`)))
  expect(writes.filter((path) => path.endsWith('order-cash'))).toHaveLength(1)
})
