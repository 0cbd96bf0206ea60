import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type Reply } from './client.ts'

/** What nobody outside the broker knows of its lists, each with every answer the simulator can give. */
const CODE = '005930'
const ME = demoCredentials(0)

let sim: Sim
afterEach(() => sim.close())
async function open(assumptions: SimOptions['assumptions'], more: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({ ...(assumptions && { assumptions }), ...more })
  sim.setBase(CODE, 70_000)
  return RawClient.login(sim)
}

describe('dayRanges', () => {
  const closed = { hours: 'krx', calendar: { closed: ['20261118'] } } as const
  // 2026-11-18 is closed here, the 21st a Saturday.
  test.each([
    ['answered', '20261116', '20261120', '0'],
    ['answered', '20261116', '20261118', '0'],
    ['answered', '20261118', '20261118', '0'],
    ['refused', '20261119', '20261120', '7'],
    ['refused', '20261120', '20261120', '0'],
    ['refused', '20261118', '20261118', '7'],
    ['refusedOverHolidays', '20261116', '20261120', '0'],
    ['refusedOverHolidays', '20261116', '20261118', '7'],
    ['refusedOverHolidays', '20261118', '20261120', '7'],
    ['refusedOverHolidays', '20261116', '20261121', '7'],
    ['refusedOverHolidays', '20261121', '20261121', '7'],
    ['refusedOverHolidays', '20261120', '20261120', '0'],
  ] as const)('%s: %s to %s', async (dayRanges, from, to, rt) => {
    const client = await open({ dayRanges }, closed)
    const reply = await client.executions({ INQR_STRT_DT: from, INQR_END_DT: to })
    expect([reply.status, reply.rt_cd, reply.msg_cd]).toEqual([200, rt, rt === '7' ? 'KIER2570' : 'KIOK0560'])
    expect(reply.output1).toEqual([])
  })

  test.each(['refused', 'refusedOverHolidays'] as const)('%s: the older orders, too', async (dayRanges) => {
    const client = await open({ dayRanges }, closed)
    const days = { INQR_STRT_DT: '20260601', INQR_END_DT: '20260606' }
    expect((await client.call('executionsOlder', days)).msg_cd).toBe('KIER2570')
  })
})

/** The page after a reply, asked for the way the broker wants it. */
const nextOf = (client: RawClient, reply: Reply): Promise<Reply> => {
  const cursor = { CTX_AREA_FK100: String(reply['ctx_area_fk100']), CTX_AREA_NK100: String(reply['ctx_area_nk100']) }
  return client.executions(cursor, { tr_cont: 'N' })
}
const paper = { accounts: [{ credentials: ME, env: 'paper', cash: 10_000_000_000 }] } as const
async function openPaper(assumptions: SimOptions['assumptions'], orders: number): Promise<RawClient> {
  sim = await stillSim({ ...paper, ...(assumptions && { assumptions }) })
  sim.setBase(CODE, 70_000)
  const client = await RawClient.login(sim, ME, 'paper')
  for (let n = 0; n < orders; n++) await client.order({ count: 2, price: 69_000 })
  return client
}

describe('changedListBreaks', () => {
  test.each<[string, boolean, (client: RawClient) => Promise<unknown> | void, string]>([
    ['nothing', true, () => undefined, '0'],
    ['a new order', true, (client) => client.order({ count: 1, price: 69_000 }), '1'],
    ['a fill', true, () => sim.setPrice(CODE, 69_000, { count: 1, aggressor: 'sell' }), '1'],
    ['a cancel', true, (client) => client.change('0000000001'), '1'],
    ['a new order', false, (client) => client.order({ count: 1, price: 69_000 }), '0'],
    ['a fill', false, () => sim.setPrice(CODE, 69_000, { count: 1, aggressor: 'sell' }), '0'],
  ])('%s between two pages: %s', async (_name, changedListBreaks, change, rt) => {
    const client = await openPaper({ changedListBreaks }, 16)
    const first = await client.executions()
    await change(client)
    const second = await nextOf(client, first)
    expect([second.status, second.rt_cd, second.msg_cd]).toEqual([200, rt, rt === '1' ? 'SYDB0050' : '20310000'])
    expect(second.output1.length > 0).toBe(rt === '0')
    // From its first page on it is readable again.
    expect((await nextOf(client, await client.executions())).rt_cd).toBe('0')
  })
})

describe('rowsTwice', () => {
  test.each([
    [false, 16, [15, 1]],
    [true, 16, [15, 1, 15, 1]],
    [true, 3, [3, 3]],
    [true, 15, [15, 15]],
    [true, 0, [0]],
  ])('%s: %i orders', async (rowsTwice, orders, sizes) => {
    const client = await openPaper({ rowsTwice }, orders)
    const pages = [await client.executions()]
    for (let last = pages[0]; last?.cont === 'F' || last?.cont === 'M'; last = pages.at(-1))
      pages.push(await nextOf(client, last))
    expect(pages.map(({ output1 }) => output1.length)).toEqual(sizes)
    const numbers = pages.flatMap(({ output1 }) => output1.map((row) => row['odno']))
    expect(new Set(numbers).size).toBe(orders)
  })
})

test.each([
  ['zero', '01', '0', '0'],
  ['paidPrice', '01', '0', '70000'],
  ['zero', '03', '0', '0'],
  ['paidPrice', '03', '0', '70000'],
  ['paidPrice', '00', '71000', '71000'],
] as const)('unpricedShownAt %s: division %s at %s', async (unpricedShownAt, division, price, shown) => {
  const client = await open({ unpricedShownAt })
  sim.setPrice(CODE, 70_000, { count: 1, aggressor: 'buy' })
  await client.order({ division, count: 2, price: Number(price) })
  const [row] = (await client.executions()).output1
  expect([row?.['tot_ccld_qty'], row?.['ord_unpr'], row?.['avg_prvs']]).toEqual(['2', shown, '70000'])
})

test('unpricedShownAt paidPrice: before its first fill such an order has no price either', async () => {
  const client = await open({ unpricedShownAt: 'paidPrice' })
  await client.order({ division: '04', count: 2 })
  const [row] = (await client.executions()).output1
  expect([row?.['tot_ccld_qty'], row?.['ord_unpr']]).toEqual(['0', '0'])
})
