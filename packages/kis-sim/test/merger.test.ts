import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoCredentials, type Sim } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** A share goes into another one: three for two, over a week without trading. */
const GONE = '005930'
const INTO = '000660'
const ME = demoCredentials(0)
const MERGER = { kind: 'merged', code: GONE, into: INTO, stopsOn: '20261123', day: '20261130', ratio: 1.5 } as const

let sim: Sim
let client: RawClient
beforeEach(async () => {
  sim = await stillSim({
    hours: 'krx',
    clock: { mode: 'manual', start: at('10:00:00', '2026-11-20') },
    accounts: [{ credentials: ME, cash: 10_000_000 }],
    happenings: [MERGER],
  })
  sim.setHolding(ME.accountNumber, GONE, 7, 140_000)
  sim.setHolding(ME.accountNumber, INTO, 2, 100_000)
  client = await RawClient.login(sim)
})
afterEach(() => sim.close())

async function goTo(time: string, day: string): Promise<void> {
  await sim.clock.advance(at(time, day) - sim.clock.now())
  await client.renew()
}

const held = async () =>
  (await client.balance()).output1.map(({ pdno, hldg_qty, pchs_amt }) => `${pdno} ${hldg_qty} ${pchs_amt}`)

const quote = async (code: string) =>
  (await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: code })).output[0]

test('it stands still, and is held, until its day', async () => {
  await goTo('10:00:00', '2026-11-25')
  expect(await held()).toEqual([`${INTO} 2 200000`, `${GONE} 7 980000`])
  expect((await quote(GONE))?.['iscd_stat_cls_code']).toBe('58')
  expect((await client.order({ side: 'sell', count: 1, price: 140_000 })).rt_cd).toBe('1')
})

test('on its day its holders have the other one at what it had cost, and nobody knows it any more', async () => {
  const { settled } = sim.cash(ME.accountNumber)
  await goTo('10:00:00', '2026-11-30')
  expect(await held()).toEqual([`${INTO} 12 1180000`])
  // Ten shares and half a one, which is paid out.
  const base = Number((await quote(INTO))?.['stck_sdpr'])
  expect(sim.cash(ME.accountNumber).settled - settled).toBe(Math.floor(base / 2))
  expect(Number((await quote(GONE))?.['stck_prpr'])).toBe(0)
  expect((await client.order({ side: 'sell', count: 1, price: 140_000 })).msg1).toContain('종목')
})
