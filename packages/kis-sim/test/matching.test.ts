import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type OrderText, type Row } from './client.ts'

const CODE = '005930'
const BUYER = demoCredentials(0)
const SELLER = demoCredentials(1)

let sim: Sim
let buyer: RawClient
let seller: RawClient
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  sim.setCash(BUYER.accountNumber, 10_000_000_000)
  sim.setHolding(SELLER.accountNumber, CODE, 100_000, 60_000)
  buyer = await RawClient.login(sim)
  seller = await RawClient.login(sim, SELLER)
}
beforeEach(() => open())
afterEach(() => sim.close())

const odnoOf = async (reply: Promise<{ output: Row[] }>): Promise<string> => (await reply).output[0]?.['ODNO'] ?? ''
const shares = (row: Row | undefined, name: string): number => Number(row?.[name])
/** Filled, average price and remainder of each order of a list, in order of acceptance. */
const states = async (client = buyer): Promise<string[]> =>
  (await client.executions()).output1.map((r) => `${r['tot_ccld_qty']}@${r['avg_prvs']} +${r['rmn_qty']}`)

interface Quote {
  readonly asks: [price: number, count: number][]
  readonly bids: [price: number, count: number][]
}
async function book(venue: 'J' | 'NX'): Promise<Quote> {
  const fields = { FID_COND_MRKT_DIV_CODE: venue, FID_INPUT_ISCD: CODE }
  const [row] = (await buyer.call('orderBook', fields)).output1
  const side = (name: string): [number, number][] =>
    Array.from({ length: 10 }, (_, i) => [shares(row, `${name}p${i + 1}`), shares(row, `${name}p_rsqn${i + 1}`)])
  return { asks: side('ask'), bids: side('bid') }
}

describe.each([
  ['KRX', 'J'],
  ['NXT', 'NX'],
] as const)('on %s', (venue, quoted) => {
  test('an order larger than the best level eats the levels in turn, each at its own price', async () => {
    const { asks } = await book(quoted)
    const [first, second, third] = asks.map(([, count]) => count)
    const count = (first ?? 0) + (second ?? 0) + 5
    await buyer.order({ count, price: 70_200, venue })
    const amount = (first ?? 0) * 70_000 + (second ?? 0) * 70_100 + 5 * 70_200
    const [row] = (await buyer.executions()).output1
    expect([shares(row, 'tot_ccld_qty'), shares(row, 'tot_ccld_amt'), shares(row, 'rmn_qty')]).toEqual([
      count,
      amount,
      0,
    ])
    expect((await book(quoted)).asks[0]).toEqual([70_200, (third ?? 0) - 5])
  })

  test('a limit takes what it may and rests with the remainder on top of the bids', async () => {
    const { asks } = await book(quoted)
    const there = asks[0]?.[1] ?? 0
    await buyer.order({ count: there + 40, price: 70_000, venue })
    expect(await states()).toEqual([`${there}@70000 +40`])
    expect((await book(quoted)).bids[0]).toEqual([70_000, 40])
  })

  test.each<[string, string, number, (there: number) => number, string]>([
    ['limit IOC', '11', 70_000, (there) => there + 40, 'part'],
    ['limit FOK that does not fit', '12', 70_000, (there) => there + 1, 'none'],
    ['limit FOK that just fits', '12', 70_000, (there) => there, 'all'],
    ['limit FOK out of reach', '12', 69_900, () => 1, 'none'],
    ['market IOC', '13', 0, (there) => there + 40, 'all'],
    ['market FOK', '14', 0, (there) => there + 40, 'all'],
    ['best IOC', '15', 0, (there) => there + 40, 'part'],
    ['best FOK that does not fit', '16', 0, (there) => there + 1, 'none'],
    ['best FOK that just fits', '16', 0, (there) => there, 'all'],
    ['midpoint IOC', '23', 0, () => 10, 'all'],
    ['midpoint FOK', '24', 0, () => 10, 'all'],
  ])('%s: %s', async (_name, division, price, countOf, outcome) => {
    const there = (await book(quoted)).asks[0]?.[1] ?? 0
    const count = countOf(there)
    await buyer.order({ count, price, division, venue })
    const [row] = (await buyer.executions()).output1
    const filled = { part: there, none: 0, all: count }[outcome] ?? -1
    const found = ['tot_ccld_qty', 'cncl_cfrm_qty', 'rmn_qty'].map((name) => shares(row, name))
    expect(found).toEqual([filled, count - filled, 0])
    expect(row?.['ccld_cndt_name']).toBe(['12', '14', '16', '24'].includes(division) ? 'FOK' : 'IOC')
  })

  test('a best order rests at the opposite best of its arrival, a top order at its own', async () => {
    const there = (await book(quoted)).asks[0]?.[1] ?? 0
    await buyer.order({ count: there + 7, division: '03', venue })
    await buyer.order({ count: 9, division: '04', venue })
    const { bids } = await book(quoted)
    // The best order's remainder is now the own best, and the top order joins it.
    expect(bids[0]).toEqual([70_000, 16])
  })

  test('clients of one price are served in the order they came, across accounts', async () => {
    const third = demoCredentials(5)
    sim.addAccount({ credentials: third, cash: 1_000_000_000 })
    const late = await RawClient.login(sim, third)
    await buyer.order({ count: 5, price: 69_900, venue })
    await late.order({ count: 5, price: 69_900, venue })
    await buyer.order({ count: 5, price: 69_900, venue })
    sim.setPrice(CODE, 69_900, { count: 12, aggressor: 'sell', venue })
    expect([await states(), await states(late)]).toEqual([['5@69900 +0', '2@69900 +3'], ['5@69900 +0']])
  })

  test('a modification goes to the end of its price, a smaller one of the rest does not move the rest', async () => {
    const first = await odnoOf(buyer.order({ count: 10, price: 69_900, venue }))
    await buyer.order({ count: 10, price: 69_900, venue })
    await buyer.change(first, { count: 4, price: 69_900, venue })
    sim.setPrice(CODE, 69_900, { count: 18, aggressor: 'sell', venue })
    expect(await states()).toEqual(['6@69900 +0', '10@69900 +0', '2@69900 +2'])
  })

  test('the other venue’s trades leave its orders alone', async () => {
    await buyer.order({ count: 5, price: 69_000, venue })
    sim.setPrice(CODE, 68_000, { aggressor: 'sell', venue: venue === 'KRX' ? 'NXT' : 'KRX' })
    expect(await states()).toEqual(['0@0 +5'])
    sim.setPrice(CODE, 68_000, { aggressor: 'sell', venue })
    expect(await states()).toEqual(['5@69000 +0'])
  })
})

const stop = (trigger: string, price = 71_000): Promise<{ rt_cd: string; msg1: string }> => {
  const fields = { PDNO: CODE, ORD_DVSN: '22', ORD_QTY: '1', ORD_UNPR: String(price), CNDT_PRIC: trigger }
  return buyer.call('orderBuy', { ...fields, EXCG_ID_DVSN_CD: 'KRX' })
}

describe('orders that wait for a price', () => {
  test.each(['', '0', 'soon', '70550', '91100'])('a stop order whose trigger is "%s" is refused', async (trigger) => {
    expect(await stop(trigger)).toMatchObject({ rt_cd: '1' })
    expect(sim.orders(BUYER.accountNumber)).toEqual([])
  })

  test('one beyond its limit waits on as that limit', async () => {
    await stop('70500', 70_400)
    sim.setPrice(CODE, 70_500)
    expect(await states()).toEqual(['0@0 +1'])
    sim.setPrice(CODE, 70_400, { aggressor: 'sell' })
    expect(await states()).toEqual(['1@70400 +0'])
  })
})

test('what cannot wait and finds its stock not trading is cancelled, not kept', async () => {
  await sim.close()
  await open({ latency: { exchange: [1_000, 1_000] } })
  await buyer.order({ count: 5, price: 70_000, division: '11' })
  await buyer.order({ count: 5, price: 70_000 })
  sim.interrupt(CODE)
  await sim.clock.advance(1_000)
  expect(await states()).toEqual(['0@0 +0', '0@0 +5'])
})

const stepOf = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      ticks: fc.integer({ min: -5, max: 5 }),
      count: fc.integer({ min: 1, max: 30 }),
      venue: fc.constantFrom('KRX' as const, 'NXT' as const),
      division: fc.constantFrom('00', '00', '00', '11', '12', '03', '04'),
    }),
  },
  fc.record({ kind: fc.constant('cancel' as const), n: fc.nat(10), side: fc.constantFrom('buy', 'sell') }),
  fc.record({
    kind: fc.constant('print' as const),
    ticks: fc.integer({ min: -6, max: 6 }),
    count: fc.integer({ min: 1, max: 40 }),
    aggressor: fc.constantFrom('buy' as const, 'sell' as const),
    venue: fc.constantFrom('KRX' as const, 'NXT' as const),
  }),
)

/** Price, then time: no order of a side may trade while one before it in the queue of its venue waits in vain. */
function expectPriority(account: string, side: 'buy' | 'sell'): void {
  const facts = sim.trueEvents(account)
  const waiting = new Map<string, { limit: number; left: number; venue: string; came: number }>()
  for (const [came, fact] of facts.entries()) {
    if (fact.kind === 'accepted' && fact.order.change === null) {
      const { odno, price, count, routed, division } = fact.order
      if (division === '00') waiting.set(odno, { limit: price, left: count, venue: routed, came })
    }
    if (fact.kind === 'reduced') waiting.delete(fact.odno)
    if (fact.kind !== 'filled') continue
    const own = waiting.get(fact.odno)
    if (!own) continue
    expect(side === 'buy' ? fact.price <= own.limit : fact.price >= own.limit).toBe(true)
    for (const other of waiting.values()) {
      if (other === own || other.venue !== own.venue) continue
      const better = side === 'buy' ? other.limit > own.limit : other.limit < own.limit
      expect(better || (other.limit === own.limit && other.came < own.came) ? 'overtaken' : 'in turn').toBe('in turn')
    }
    own.left -= fact.count
    if (own.left === 0) waiting.delete(fact.odno)
  }
}

test('price, then time, on both venues, over any sequence', async () => {
  const property = fc.asyncProperty(fc.array(stepOf, { minLength: 5, maxLength: 25 }), async (steps) => {
    await sim.close()
    await open()
    for (const step of steps) {
      const [client, account] = step.kind !== 'print' && step.side === 'sell' ? [seller, SELLER] : [buyer, BUYER]
      if (step.kind === 'print') {
        const { ticks, ...how } = step
        sim.setPrice(CODE, 70_000 + ticks * 100, how)
      } else if (step.kind === 'order') {
        const { ticks, kind: _kind, ...order } = step
        const price = ['03', '04'].includes(order.division) ? 0 : 70_000 + ticks * 100
        await client.order({ ...order, price } satisfies OrderText)
      } else {
        const order = sim.liveOrders(account.accountNumber)[step.n]
        if (order) await client.change(order.odno, { venue: order.venue })
      }
    }
    expectPriority(BUYER.accountNumber, 'buy')
    expectPriority(SELLER.accountNumber, 'sell')
    // Nobody who would buy at a price waits beside somebody who would sell at it.
    for (const venue of ['KRX', 'NXT'] as const) {
      const limits = (of: string): number[] =>
        sim.liveOrders(of).flatMap((o) => (o.routed === venue && o.division === '00' ? [o.price] : []))
      const [bid, ask] = [Math.max(0, ...limits(BUYER.accountNumber)), Math.min(1e9, ...limits(SELLER.accountNumber))]
      expect(bid).toBeLessThan(ask)
    }
  })
  await fc.assert(property, { numRuns: 25 })
})
