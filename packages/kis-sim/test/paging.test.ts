import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, UNIVERSE, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type Reply, type Row } from './client.ts'

const ME = demoCredentials(0)
const DAY = 86_400_000

let sim: Sim
let client: RawClient
const open = async (options: SimOptions = {}, env: 'real' | 'paper' = 'real'): Promise<void> => {
  // A list that breaks when it changes is looked at in assumptions.test.ts; here its pages are, where it does not.
  const assumptions = { changedListBreaks: false }
  sim = await stillSim({ accounts: [{ credentials: ME, env, cash: 10_000_000_000 }], assumptions, ...options })
  client = await RawClient.login(sim, ME, env)
}
beforeEach(() => open())
afterEach(() => sim.close())

const place = async (count: number, more: { price?: number; side?: 'buy' | 'sell' } = {}): Promise<void> => {
  for (let n = 0; n < count; n++) await client.order({ count: 1, price: 150_000, ...more })
}
const odno = (n: number): string => String(n).padStart(10, '0')
const cancel = (n: number): Promise<Reply> => client.change(odno(n))

/** Asks for the page after a reply the way the broker wants it: header N, both context fields as they came. */
const after = (reply: Reply): [Row, Row] => [
  { CTX_AREA_FK100: String(reply['ctx_area_fk100']), CTX_AREA_NK100: String(reply['ctx_area_nk100']) },
  { tr_cont: 'N' },
]
const numbers = (rows: readonly Row[]): number[] => rows.map((row) => Number(row['odno']))
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => (from < to ? from + i : from - i))

describe('the header decides', () => {
  test.each([
    ['exactly one page', 100, ['D'], 'KIOK0510'],
    ['one row more', 101, ['F', 'E'], 'KIOK0500'],
    ['two full pages', 200, ['F', 'E'], 'KIOK0500'],
    ['three pages', 201, ['F', 'M', 'E'], 'KIOK0500'],
    ['nothing', 0, ['D'], 'KIOK0560'],
  ])('%s', async (_name, rows, conts, code) => {
    await place(rows)
    const found: Reply[] = [await client.executions()]
    while (['F', 'M'].includes(found.at(-1)?.cont ?? '')) {
      const last = found.at(-1)
      if (last) found.push(await client.executions(...after(last)))
    }
    expect(found.map(({ cont }) => cont)).toEqual(conts)
    expect(found[0]?.msg_cd).toBe(code)
    expect(found.flatMap(({ output1 }) => numbers(output1))).toEqual(rows === 0 ? [] : range(1, rows))
  })

  test('without N a cursor is ignored and the list starts over', async () => {
    await place(101)
    const [fields] = after(await client.executions())
    expect(numbers((await client.executions(fields)).output1)[0]).toBe(1)
  })

  test('context fields are 100 wide, and empty on the last page', async () => {
    await place(101)
    const first = await client.executions()
    const last = await client.executions(...after(first))
    for (const reply of [first, last]) {
      expect([String(reply['ctx_area_fk100']).length, String(reply['ctx_area_nk100']).length]).toEqual([100, 100])
    }
    expect(String(last['ctx_area_nk100']).trim()).toBe('')
  })

  test('the sums are of the whole list on every page', async () => {
    await place(101, { price: 158_600 })
    const first = await client.executions()
    const last = await client.executions(...after(first))
    expect([first.output2[0]?.['tot_ccld_qty'], last.output2[0]?.['tot_ccld_qty']]).toEqual(['101', '101'])
  })
})

const openOrders = (fields: Row = {}, headers: Row = {}): Promise<Reply> =>
  client.call('openOrders', { INQR_DVSN_1: '0', INQR_DVSN_2: '0', ...fields }, headers)

describe('a list that changes between two pages', () => {
  test('newest first: an order placed meanwhile neither shows nor shifts a row', async () => {
    await place(110)
    const first = await client.executions({ INQR_DVSN: '00' })
    await place(5)
    const [fields, headers] = after(first)
    const second = await client.executions({ INQR_DVSN: '00', ...fields }, headers)
    expect(numbers(second.output1)).toEqual(range(10, 1))
  })

  test('oldest first: an order placed meanwhile comes last', async () => {
    await place(110)
    const first = await client.executions()
    await place(1)
    expect(numbers((await client.executions(...after(first))).output1)).toEqual(range(101, 111))
  })

  test.each([
    ['oldest first', '01', 100, range(101, 110)],
    ['newest first', '00', 11, range(10, 1)],
  ])(
    'unfilled only, %s: the row at the edge is cancelled, and the next page still goes on',
    async (_n, order, edge, rest) => {
      await place(110)
      const wanted = { CCLD_DVSN: '02', INQR_DVSN: order }
      const first = await client.executions(wanted)
      expect(numbers(first.output1).at(-1)).toBe(edge)
      await cancel(edge)
      const [fields, headers] = after(first)
      const second = await client.executions({ ...wanted, ...fields }, headers)
      expect(numbers(second.output1)).toEqual(rest)
    },
  )

  test('open orders: cancelled rows of the first page take none from the second', async () => {
    await place(60)
    const first = await openOrders()
    expect([first.cont, numbers(first.output)]).toEqual(['F', range(1, 50)])
    for (const n of [1, 25, 50]) await cancel(n)
    const second = await openOrders(...after(first))
    expect([second.cont, numbers(second.output)]).toEqual(['E', range(51, 60)])
  })

  test('open orders: all that followed is gone, and the last page is empty', async () => {
    await place(52)
    const first = await openOrders()
    for (const n of [50, 51, 52]) await cancel(n)
    const second = await openOrders(...after(first))
    expect([second.cont, numbers(second.output)]).toEqual(['E', []])
  })

  test('balance: a stock bought meanwhile shows where its code belongs', async () => {
    const codes = UNIVERSE.map(({ code }) => code).sort()
    const early = codes[1] ?? ''
    const held = codes.filter((code) => code !== early)
    for (const code of held) sim.setHolding(ME.accountNumber, code, 1, 1_000)
    const first = await client.balance()
    expect([first.output1.length, first.cont]).toEqual([50, 'F'])
    sim.setHolding(ME.accountNumber, early, 1, 1_000)
    const second = await client.balance(...after(first))
    expect([...first.output1, ...second.output1].map((row) => row['pdno'])).toEqual(held)
  })

  test('paper pages by 15 and by 20, whatever is cancelled on the way', async () => {
    await sim.close()
    await open({}, 'paper')
    await place(32)
    const unfilled = { CCLD_DVSN: '02' }
    const first = await client.executions(unfilled)
    await cancel(15)
    const [fields, headers] = after(first)
    const second = await client.executions({ ...unfilled, ...fields }, headers)
    await cancel(30)
    const [more, next] = after(second)
    const third = await client.executions({ ...unfilled, ...more }, next)
    const pages = [first, second, third]
    expect(pages.map(({ cont }) => cont)).toEqual(['F', 'M', 'E'])
    expect(pages.flatMap(({ output1 }) => numbers(output1))).toEqual(range(1, 32))
    for (const { code } of UNIVERSE.slice(0, 21)) sim.setHolding(ME.accountNumber, code, 1, 1_000)
    const balance = await client.balance()
    expect([balance.output1.length, balance.cont]).toEqual([20, 'F'])
    expect(await client.balance(...after(balance))).toMatchObject({ cont: 'E', output1: [{ hldg_qty: '1' }] })
  })
})

describe('the border between recent and older orders', () => {
  const days = { INQR_STRT_DT: '20260101', INQR_END_DT: '20271231' }
  const older = async (): Promise<string[]> => {
    const fields = { ...days, SLL_BUY_DVSN_CD: '00', INQR_DVSN: '01', CCLD_DVSN: '00', EXCG_ID_DVSN_CD: 'ALL' }
    return (await client.call('executionsOlder', fields)).output1.map((row) => row['ord_dt'] ?? '')
  }
  const recent = async (): Promise<string[]> =>
    (await client.executions(days)).output1.map((row) => row['ord_dt'] ?? '')

  test('is the first of the month three months back', async () => {
    await sim.close()
    await open({ clock: { mode: 'manual', start: at('23:00:00', '2026-07-31') } })
    await place(1)
    await sim.clock.advance(DAY)
    await client.renew()
    await place(1)
    expect([await recent(), await older()]).toEqual([['20260731', '20260801'], []])
    // 31 October still reaches back to July; 1 November does not.
    await sim.clock.advance(91 * DAY)
    await client.renew()
    expect([await recent(), await older()]).toEqual([['20260731', '20260801'], []])
    await sim.clock.advance(DAY)
    await client.renew()
    expect([await recent(), await older()]).toEqual([['20260801'], ['20260731']])
  })
})

const shut = (reply: Reply): string[] =>
  reply.output.filter((row) => row['opnd_yn'] === 'N').map((row) => row['bass_dt']?.slice(4) ?? '')

test('holidays page by page from any day, weekends and closed days marked', async () => {
  await sim.close()
  await open({ hours: 'krx', calendar: { closed: ['20261222'] } })
  const first = await client.call('holidays', { BASS_DT: '20261215', CTX_AREA_FK: '', CTX_AREA_NK: '' })
  expect(shut(first)).toEqual(['1219', '1220', '1222', '1225', '1226', '1227', '1231', '0101', '0102', '0103'])
  expect(first.output[0]).toMatchObject({ bass_dt: '20261215', wday_dvsn_cd: '03', opnd_yn: 'Y' })
  const more = { BASS_DT: '20261215', CTX_AREA_NK: String(first['ctx_area_nk']) }
  const second = await client.call('holidays', more, { tr_cont: 'N' })
  expect([second.cont, second.output[0]?.['bass_dt']]).toEqual(['M', '20270108'])
  expect((await client.call('holidays', { BASS_DT: 'tomorrow' })).msg_cd).toBe('OPSQ2001')
})
