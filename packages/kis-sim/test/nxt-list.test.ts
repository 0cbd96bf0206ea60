import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** An issue leaves NXT, joins it, or is stopped there for a while; KRX trades it all the time. */
const CODE = '005930'
const KRX_ONLY = '026960'
const ME = demoCredentials(0)
const MINUTE = 60_000
const TODAY = { INQR_STRT_DT: '20261120', INQR_END_DT: '20261120' }
const NO_PINGS = { pingPongMs: [1e9, 1e9] } as const

let sim: Sim
afterEach(() => sim.close())

const options = (time: string, more: SimOptions = {}): SimOptions => ({
  hours: 'krx',
  clock: { mode: 'manual', start: at(time) },
  ...more,
})

async function open(time: string, more: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim(options(time, more))
  return RawClient.login(sim)
}

const info = async (client: RawClient, code = CODE): Promise<string> => {
  const { output } = await client.call('stockInfo', { PRDT_TYPE_CD: '300', PDNO: code })
  return `${output[0]?.['cptt_trad_tr_psbl_yn']}${output[0]?.['nxt_tr_stop_yn']}`
}
const live = (): string[] => sim.liveOrders(ME.accountNumber).map((o) => `${o.venue}→${o.routed} ${o.count}`)
const suspension = { kind: 'nxtSuspended', code: CODE, from: at('10:00:00'), until: at('11:00:00') } as const

describe('the list', () => {
  test('an issue is dropped from a day on, and tells so from its midnight', async () => {
    const client = await open('10:00:00', { happenings: [{ kind: 'nxtDropped', code: CODE, day: '20261123' }] })
    expect(await info(client)).toBe('YN')
    expect((await client.order({ count: 1, price: 158_000, venue: 'NXT' })).rt_cd).toBe('0')
    await sim.clock.advance(at('08:10:00', '2026-11-23') - sim.clock.now())
    await client.renew()
    expect(await info(client)).toBe('NN')
    const refused = await client.order({ count: 1, price: 158_000, venue: 'NXT' })
    expect([refused.msg_cd, refused.msg1.trim()]).toEqual(['APBK0918', 'NXT 거래불가 종목입니다.'])
    // In the morning SOR has nowhere to go with it.
    expect((await client.order({ count: 1, price: 158_000, venue: 'SOR' })).msg1).toContain('장운영시간')
    await sim.clock.advance(15 * MINUTE)
    expect((await client.order({ count: 2, price: 158_000, venue: 'SOR' })).rt_cd).toBe('0')
    expect(live()).toEqual(['SOR→KRX 2'])
  })

  test('an issue is added from a day on', async () => {
    const client = await open('10:00:00', { happenings: [{ kind: 'nxtAdded', code: KRX_ONLY, day: '20261123' }] })
    expect(await info(client, KRX_ONLY)).toBe('NN')
    await sim.clock.advance(at('08:10:00', '2026-11-23') - sim.clock.now())
    await client.renew()
    expect(await info(client, KRX_ONLY)).toBe('YN')
    expect((await client.order({ code: KRX_ONLY, count: 1, price: 26_000, venue: 'NXT' })).rt_cd).toBe('0')
  })

  test('days that passed before the market started count, in their order', async () => {
    const client = await open('10:00:00', {
      happenings: [
        { kind: 'nxtAdded', code: CODE, day: '20261102' },
        { kind: 'nxtDropped', code: CODE, day: '20260901' },
        { kind: 'nxtDropped', code: '000660', day: '20260901' },
      ],
    })
    expect([await info(client), await info(client, '000660')]).toEqual(['YN', 'NN'])
  })

  test('the unified channel falls silent for a dropped issue', async () => {
    const client = await open('10:00:00', { happenings: [{ kind: 'nxtDropped', code: CODE, day: '20261120' }] })
    const socket = await client.socket()
    await socket.register('H0UNCNT0', CODE)
    await socket.register('H0STCNT0', CODE)
    sim.setPrice(CODE, 158_000)
    expect((await socket.frame()).trId).toBe('H0STCNT0')
  })
})

describe('a stop during the day', () => {
  test('what rests on NXT is cancelled, also by SOR; what rests on KRX stays', async () => {
    const client = await open('09:59:00', { happenings: [suspension] })
    await client.order({ count: 1, price: 158_000, venue: 'NXT' })
    await client.order({ count: 2, price: 158_000, venue: 'KRX' })
    for (let count = 3; !live().some((text) => text.startsWith('SOR→NXT')); count++) {
      await client.order({ count, price: 158_000, venue: 'SOR' })
    }
    await sim.clock.advance(MINUTE)
    expect(live().every((text) => text.includes('→KRX'))).toBe(true)
    const rows = (await client.executions(TODAY)).output1
    expect(rows.find((row) => row['ord_qty'] === '1')).toMatchObject({ cncl_yn: 'Y', cnc_cfrm_qty: '1', rmn_qty: '0' })
    expect(rows.find((row) => row['ord_qty'] === '2')).toMatchObject({ cncl_yn: 'N', rmn_qty: '2' })
  })

  test('new ones are refused, SOR takes KRX, and afterwards all is as before', async () => {
    const client = await open('10:00:00', { happenings: [suspension] })
    expect(await info(client)).toBe('YY')
    expect((await client.order({ count: 1, price: 158_000, venue: 'NXT' })).msg1).toContain('NXT 거래불가')
    for (let count = 1; count <= 20; count++) await client.order({ count, price: 158_000, venue: 'SOR' })
    expect(new Set(sim.liveOrders(ME.accountNumber).map((o) => o.routed))).toEqual(new Set(['KRX']))
    await sim.clock.advance(60 * MINUTE)
    expect(await info(client)).toBe('YN')
    expect((await client.order({ count: 1, price: 158_000, venue: 'NXT' })).rt_cd).toBe('0')
  })

  test('the refusal may speak of a halt', async () => {
    const client = await open('10:00:00', {
      happenings: [suspension],
      assumptions: { nxtStopRefusedAs: 'halted' },
    })
    expect((await client.order({ count: 1, price: 158_000, venue: 'NXT' })).msg1).toContain('NXT 거래정지')
  })

  test('NXT’s operation channel says so, KRX’s does not', async () => {
    const client = await open('09:59:00', { happenings: [suspension], assumptions: NO_PINGS })
    const socket = await client.socket()
    for (const channel of ['H0STMKO0', 'H0NXMKO0']) await socket.register(channel, CODE)
    await sim.clock.advance(MINUTE)
    const { trId, values } = await socket.frame()
    expect([trId, values[1], values[3]]).toEqual(['H0NXMKO0', 'Y', '164'])
    await sim.clock.advance(60 * MINUTE)
    const after = await socket.frame()
    expect([after.trId, after.values[1], after.values[3]]).toEqual(['H0NXMKO0', 'N', '112'])
  })

  test('nothing is traded there meanwhile, by the market neither', async () => {
    const client = await open('10:00:00', { happenings: [suspension] })
    sim.setPrice(CODE, 157_500)
    const volume = async (venue: string): Promise<string | undefined> =>
      (await client.call('price', { FID_COND_MRKT_DIV_CODE: venue, FID_INPUT_ISCD: CODE })).output[0]?.['acml_vol']
    expect([await volume('J'), await volume('NX')]).toEqual(['10', '0'])
  })
})

describe('a restart', () => {
  let stateDir: string
  afterEach(() => rmSync(stateDir, { recursive: true }))

  test('what was ordered while the market ran is not forgotten', async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
    let client = await open('10:00:00', { stateDir })
    await client.order({ count: 1, price: 150_000, venue: 'NXT' })
    sim.happen({ kind: 'nxtSuspended', code: CODE, from: at('10:05:00'), until: at('11:00:00') })
    expect(() => sim.happen({ kind: 'nxtDropped', code: '999999', day: '20261123' })).toThrow('no issue 999999')
    await sim.close()

    client = await open('10:30:00', { stateDir })
    expect(await info(client)).toBe('YY')
    expect((await client.executions(TODAY)).output1[0]).toMatchObject({ cncl_yn: 'Y', rmn_qty: '0' })
    await sim.clock.advance(30 * MINUTE)
    expect(await info(client)).toBe('YN')
  })
})
