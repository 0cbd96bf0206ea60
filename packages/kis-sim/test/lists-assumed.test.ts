import { kstInstant } from '@digger/core'
import { afterEach, describe, expect, test } from 'vitest'
import type { Sim, SimOptions } from '../src/index.ts'
import { RawClient, stillSim, type Row } from './client.ts'

/** What nobody outside the broker knows of its lists of orders, each with every answer the simulator can give. */
const CODE = '005930'

let sim: Sim
afterEach(() => sim.close())
async function open(assumptions: SimOptions['assumptions'], more: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({ ...(assumptions && { assumptions }), ...more })
  sim.setBase(CODE, 70_000)
  return RawClient.login(sim)
}
const odnoOf = async (reply: Promise<{ output: Row[] }>): Promise<string> => (await reply).output[0]?.['ODNO'] ?? ''

test.each([
  ['original', ['6', '0']],
  ['change', ['0', '6']],
  ['both', ['6', '6']],
] as const)('cancelledShownOn %s', async (cancelledShownOn, expected) => {
  const client = await open({ cancelledShownOn })
  const odno = await odnoOf(client.order({ count: 10, price: 69_900 }))
  sim.setPrice(CODE, 69_900, { count: 4, aggressor: 'sell' })
  await client.change(odno)
  const rows = (await client.executions()).output1
  expect(rows.map((row) => row['cncl_cfrm_qty'])).toEqual(expected)
  expect(rows.map((row) => row['cnc_cfrm_qty'])).toEqual(expected)
  expect(rows.map((row) => [row['tot_ccld_qty'], row['rmn_qty']])).toEqual([
    ['4', '0'],
    ['0', '0'],
  ])
})

describe('expiredShownAs and expiredShownFrom', () => {
  /** Counts rejected, cancelled and remaining of an order of ten that filled four, at 15:31, 20:01 and after midnight. */
  const EVENING = { end: 0, evening: 1, midnight: 2 } as const
  test.each(['rejected', 'cancelled', 'nothing', 'remaining'] as const)('%s', async (expiredShownAs) => {
    for (const expiredShownFrom of ['end', 'evening', 'midnight'] as const) {
      const client = await open({ expiredShownAs, expiredShownFrom }, { hours: 'krx' })
      await client.order({ count: 10, price: 69_900 })
      sim.setPrice(CODE, 69_900, { count: 4, aggressor: 'sell' })
      const seen = []
      for (const when of ['20261120 153100', '20261120 200100', '20261121 000100'] as const) {
        const [day = '', time = ''] = when.split(' ')
        await sim.clock.advance(kstInstant(day, time) - sim.clock.now())
        const [row] = (await client.executions({ INQR_STRT_DT: '20261120', INQR_END_DT: day })).output1
        seen.push([row?.['rjct_qty'], row?.['cncl_cfrm_qty'], row?.['rmn_qty'], row?.['cncl_yn']].join(' '))
        expect(row?.['tot_ccld_qty']).toBe('4')
      }
      const resting = '0 0 6 N'
      const shown = { rejected: '6 0 0 N', cancelled: '0 6 0 Y', nothing: '0 0 0 N', remaining: resting }[
        expiredShownAs
      ]
      expect(seen).toEqual([0, 1, 2].map((look) => (look >= EVENING[expiredShownFrom] ? shown : resting)))
      await sim.close()
    }
  })
})

describe('dayRanges', () => {
  // 2026-11-21 and 22 are a weekend; the market stands on Friday the 20th.
  test.each([
    ['answered', '20261116', '20261120', '0'],
    ['answered', '20261115', '20261120', '0'],
    ['refusedOverHolidays', '20261116', '20261120', '0'],
    ['refusedOverHolidays', '20261115', '20261120', '7'],
    ['refusedOverHolidays', '20261115', '20261115', '7'],
    ['refused', '20261119', '20261120', '7'],
    ['refused', '20261120', '20261120', '0'],
  ] as const)('%s: %s to %s', async (dayRanges, INQR_STRT_DT, INQR_END_DT, rt) => {
    const client = await open({ dayRanges }, { hours: 'krx' })
    const reply = await client.executions({ INQR_STRT_DT, INQR_END_DT })
    expect([reply.rt_cd, reply.msg_cd === 'KIER2570']).toEqual([rt, rt === '7'])
  })
})

/** A hundred and two orders that rest; a page has a hundred rows. */
async function busy(assumptions: SimOptions['assumptions']): Promise<RawClient> {
  const client = await open(assumptions)
  for (let n = 0; n < 102; n++) await client.order({ count: 1, price: 69_000 })
  return client
}
const nextOf = (client: RawClient, page: Awaited<ReturnType<RawClient['executions']>>) =>
  client.executions(
    { CTX_AREA_FK100: String(page['ctx_area_fk100']), CTX_AREA_NK100: String(page['ctx_area_nk100']) },
    { tr_cont: 'N' },
  )

describe('a list of two pages', () => {
  test.each([
    [true, 'SYDB0050'],
    [false, 'KIOK0510'],
  ])('changedListBreaks %s', async (changedListBreaks, code) => {
    const client = await busy({ changedListBreaks })
    const same = await client.executions()
    expect((await nextOf(client, same)).msg_cd).toBe('KIOK0510')
    const first = await client.executions()
    await client.order({ count: 1, price: 69_000 })
    expect((await nextOf(client, first)).msg_cd).toBe(code)
  })

  test.each([
    [true, 204],
    [false, 102],
  ])('rowsTwice %s: %i rows', async (rowsTwice, count) => {
    const client = await busy({ rowsTwice })
    let page = await client.executions()
    const rows = [...page.output1]
    while (page.cont === 'F' || page.cont === 'M') {
      page = await nextOf(client, page)
      rows.push(...page.output1)
    }
    expect([rows.length, new Set(rows.map((row) => row['odno'])).size]).toEqual([count, 102])
  })
})

test('rowsTwice: a list that fits one page comes on two', async () => {
  const client = await open({ rowsTwice: true })
  for (let n = 0; n < 3; n++) await client.order({ count: 1, price: 69_000 })
  const first = await client.executions()
  const context = { CTX_AREA_FK100: String(first['ctx_area_fk100']), CTX_AREA_NK100: String(first['ctx_area_nk100']) }
  const second = await client.executions(context, { tr_cont: 'N' })
  expect([first.cont, second.cont, second.output1]).toEqual(['F', 'E', first.output1])
})

test.each([
  ['zero', ['0', '69900']],
  ['paidPrice', ['70000', '69900']],
] as const)('unpricedShownAt %s', async (unpricedShownAt, expected) => {
  const client = await open({ unpricedShownAt })
  await client.order({ count: 1, division: '01' })
  await client.order({ count: 1, price: 69_900 })
  expect((await client.executions()).output1.map((row) => row['ord_unpr'])).toEqual(expected)
})

test.each([
  ['zeros', 'zeros', ['0000000001', '0000000000', '0000000002', '0000000001']],
  ['zeros', 'empty', ['0000000001', '', '0000000002', '0000000001']],
  ['spaces', 'zeros', ['         1', '0000000000', '         2', '         1']],
  ['spaces', 'empty', ['         1', '', '         2', '         1']],
] as const)('queryNumbers %s, noOriginal %s', async (queryNumbers, noOriginal, expected) => {
  const client = await open({ queryNumbers, noOriginal })
  await client.change(await odnoOf(client.order({ count: 10, price: 69_900 })))
  expect((await client.executions()).output1.flatMap((row) => [row['odno'], row['orgn_odno']])).toEqual(expected)
  // The receipt and the filter do not change with it.
  expect(await odnoOf(client.order({ count: 1, price: 69_900 }))).toBe('0000000003')
  expect((await client.executions({ ODNO: '0000000003' })).output1).toHaveLength(1)
})
