import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoAccounts, demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** The owner of an account trades beside the program: by hand, or now and then by itself. */
const CODE = '005930'
const ME = demoCredentials(0)
const NUMBER = ME.accountNumber
const DAY = 86_400_000
const TODAY = { INQR_STRT_DT: '20261120', INQR_END_DT: '20261120' }

let sim: Sim
afterEach(() => sim.close())

async function open(more: SimOptions = {}, time = '08:00:00'): Promise<RawClient> {
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at(time) }, ...more })
  return RawClient.login(sim)
}

describe('by hand', () => {
  test('an order that rests is in the list, tells the program’s socket, and locks what it sells', async () => {
    const client = await open({}, '10:00:00')
    sim.setHolding(NUMBER, CODE, 5, 150_000)
    const socket = await client.socket()
    await socket.notices()
    const { odno } = sim.byPhone(NUMBER, { kind: 'order', code: CODE, side: 'sell', count: 3, price: 165_000 })
    expect(await socket.notice()).toMatchObject({ ODER_NO: odno, CNTG_YN: '1', ACPT_YN: '1', STCK_SHRN_ISCD: CODE })
    const [row] = (await client.executions(TODAY)).output1
    expect(row).toMatchObject({ odno, ord_qty: '3', ord_unpr: '165000', rmn_qty: '3', ordr_empno: '' })
    expect((await client.call('openOrders', { INQR_DVSN_1: '0', INQR_DVSN_2: '0' })).output[0]).toMatchObject({ odno })
    expect((await client.balance()).output1[0]).toMatchObject({ hldg_qty: '5', ord_psbl_qty: '2' })
    // The program may cancel it.
    expect((await client.change(odno)).rt_cd).toBe('0')
  })

  test('the program’s order is cancelled from outside: its row, one of the cancel, a notice', async () => {
    const client = await open({}, '10:00:00')
    const odno = (await client.order({ count: 2, price: 150_000 })).output[0]?.['ODNO'] ?? ''
    const socket = await client.socket()
    await socket.notices()
    const cancel = sim.byPhone(NUMBER, { kind: 'cancel', odno })
    await socket.notice()
    expect(await socket.notice()).toMatchObject({ ODER_NO: cancel.odno, OODER_NO: odno, ACPT_YN: '2', RCTF_CLS: '2' })
    const rows = (await client.executions(TODAY)).output1
    expect(rows.find((row) => row['odno'] === odno)).toMatchObject({ cncl_yn: 'Y', rmn_qty: '0', ordr_empno: 'OpnAPI' })
    expect(rows.find((row) => row['orgn_odno'] === odno)).toMatchObject({ odno: cancel.odno, ordr_empno: '' })
  })

  test('a market order trades at once', async () => {
    await open({}, '10:00:00')
    sim.byPhone(NUMBER, { kind: 'order', code: CODE, side: 'buy', count: 1, price: 0 })
    expect(sim.holdings(NUMBER)).toMatchObject([{ code: CODE, count: 1, averagePrice: 158_600 }])
  })

  test('the broker refuses as it would a program', async () => {
    await open({}, '10:00:00')
    const sell = { kind: 'order', code: CODE, side: 'sell', count: 1, price: 0 } as const
    expect(() => sim.byPhone(NUMBER, sell)).toThrow('매도가능한 잔고가 없습니다')
    expect(() => sim.byPhone(NUMBER, { kind: 'cancel', odno: '77' })).toThrow('원주문번호')
    const { odno } = sim.byPhone(NUMBER, { ...sell, side: 'buy' })
    expect(() => sim.byPhone(NUMBER, { kind: 'cancel', odno })).toThrow('수량이 없습니다')
  })

  test('over HTTP', async () => {
    await open({}, '10:00:00')
    const post = (body: object) => fetch(`${sim.url}/sim/phone`, { method: 'POST', body: JSON.stringify(body) })
    const order = { kind: 'order', account: NUMBER, code: CODE, side: 'buy', count: 1, price: 150_000 }
    const placed: unknown = await (await post(order)).json()
    expect(placed).toMatchObject({ odno: '0000000001', byPhone: true })
    expect((await post({ kind: 'cancel', account: NUMBER, odno: '1' })).status).toBe(200)
    expect((await post({ kind: 'cancel', account: NUMBER, odno: '1' })).status).toBe(400)
    expect(sim.liveOrders(NUMBER)).toEqual([])
  })
})

/** What came of ten accounts in two weeks, each with shares, and with an order of its program every morning. */
async function twoWeeks(more: SimOptions = {}): Promise<string[]> {
  await open({ accounts: demoAccounts(10), assumptions: { phone: 'ordinary' }, ...more })
  await rest(14)
  return acts()
}

async function rest(days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    for (const { credentials } of sim.accounts) {
      if (!sim.broker.exchange.isOpenDay()) continue
      if (n === 0) sim.setHolding(credentials.accountNumber, CODE, 10, 150_000)
      const client = await RawClient.login(sim, credentials)
      await client.order({ count: 1, price: 150_000, venue: 'NXT' })
    }
    await sim.clock.advance(DAY)
  }
}

const acts = (): string[] =>
  sim.accounts.flatMap(({ credentials: { accountNumber } }) =>
    sim
      .orders(accountNumber)
      .filter((order) => order.byPhone)
      .map((o) => `${accountNumber} ${o.at} ${o.change ?? o.side} ${o.code} ${o.count}@${o.price} ${o.filledCount}`),
  )

describe('ordinary people', () => {
  test('now and then buy, sell, leave something resting, and cancel what a program placed', async () => {
    const done = await twoWeeks()
    // Ten people, ten or eleven trading days, about one act on two days of three.
    expect(done.length).toBeGreaterThan(50)
    expect(done.length).toBeLessThan(140)
    const orders = sim.accounts.flatMap(({ credentials }) => sim.orders(credentials.accountNumber))
    const phoned = orders.filter((order) => order.byPhone)
    const placed = phoned.filter((order) => order.change === null)
    expect(placed.filter((o) => o.filledCount > 0).length).toBeGreaterThan(5)
    expect(placed.filter((o) => o.filledCount === 0).length).toBeGreaterThan(5)
    expect(new Set(placed.map((o) => o.side))).toEqual(new Set(['buy', 'sell']))
    const cancelled = orders.filter((o) => !o.byPhone && o.cancelledCount > 0)
    expect(cancelled.length).toBeGreaterThan(5)
  })

  test('by default leave their phones alone', async () => {
    expect(await twoWeeks({ assumptions: {} })).toEqual([])
  })

  test('do the same under the same seed, other things under another, nothing on closed days', async () => {
    const once = await twoWeeks()
    await sim.close()
    expect(await twoWeeks()).toEqual(once)
    const hours = sim.broker.hours
    const times = once.map((line) => Number(line.split(' ')[1]))
    expect(times.every((ms) => hours.phaseAt('KRX', ms).name === 'regular')).toBe(true)
    await sim.close()
    expect(await twoWeeks({ seed: 2 })).not.toEqual(once)
  })

  test('go on with their day after a restart', async () => {
    const options = { accounts: demoAccounts(10), assumptions: { phone: 'ordinary' } } as const
    await open(options)
    await sim.clock.advance(DAY)
    const whole = acts().map((line) => line.split(' ').slice(0, 4))
    await sim.close()
    const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
    await open({ ...options, stateDir })
    await sim.clock.advance(4 * 3_600_000)
    const half = acts().length
    await sim.close()
    await open({ ...options, stateDir }, '12:00:00')
    await sim.clock.advance(DAY / 2)
    expect(acts().map((line) => line.split(' ').slice(0, 4))).toEqual(whole)
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(whole.length)
    rmSync(stateDir, { recursive: true })
  })
})
