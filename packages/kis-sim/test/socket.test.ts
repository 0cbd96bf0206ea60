import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim } from './client.ts'

const CODE = '005930'
const ME = demoCredentials(0)

let sim: Sim
let client: RawClient
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
}
beforeEach(() => open())
afterEach(() => sim.close())

describe('ticks and books', () => {
  test('a tick has 47 fields that agree with each other', async () => {
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    sim.setPrice(CODE, 70_100, { count: 3 })
    sim.setPrice(CODE, 69_900, { count: 5, aggressor: 'sell' })
    expect(await socket.tick()).toMatchObject({
      STCK_PRPR: '70100',
      CCLD_DVSN: '1',
      PRDY_VRSS_SIGN: '2',
      PRDY_VRSS: '100',
    })
    const values = (await socket.frame()).values
    expect(values).toHaveLength(47)
    expect(values.slice(0, 15)).toEqual([
      CODE,
      '100000',
      '69900',
      '5',
      '-100',
      '-0.14',
      '69975.00',
      '70100',
      '70100',
      '69900',
      '70000',
      '69900',
      '5',
      '8',
      '559800',
    ])
    expect([values[21], values[26], values[33], values[34], values[35], values[43], values[46]]).toEqual([
      '5',
      '-200',
      '20261120',
      '20',
      'N',
      '0',
      '2',
    ])
  })

  test('before 2026-09-14 a tick had 46 fields and a book 59', async () => {
    await sim.close()
    await open({ wire: 'legacy' })
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    await socket.register('H0STASP0', CODE)
    sim.setPrice(CODE, 70_100)
    expect((await socket.frame()).values).toHaveLength(46)
    expect((await socket.frame()).values).toHaveLength(59)
  })

  test('NXT and unified channels carry their venue; unified is silent for what NXT does not list', async () => {
    const socket = await client.socket()
    for (const [channel, code] of [
      ['H0NXCNT0', CODE],
      ['H0UNCNT0', CODE],
      ['H0UNCNT0', '026960'],
      ['H0STCNT0', '026960'],
    ] as const) {
      expect((await socket.register(channel, code)).body.rt_cd).toBe('0')
    }
    sim.setPrice('026960', 26_050)
    sim.setPrice(CODE, 70_100, { venue: 'NXT' })
    const frames = [await socket.frame(), await socket.frame(), await socket.frame()]
    expect(frames.map(({ trId, values }) => `${trId} ${values[0]}`)).toEqual([
      'H0STCNT0 026960',
      'H0NXCNT0 005930',
      'H0UNCNT0 005930',
    ])
  })

  test.each([
    ['H0STASP0', 63],
    ['H0NXASP0', 65],
    ['H0UNASP0', 66],
  ])('%s has %i fields; its sizes add up', async (channel, fields) => {
    const socket = await client.socket()
    await socket.register(channel, CODE)
    sim.setPrice(CODE, 70_100)
    const { values } = await socket.frame()
    expect(values).toHaveLength(fields)
    const sum = (from: number): string =>
      String(values.slice(from, from + 10).reduce((total, v) => total + Number(v), 0))
    expect([values[43], values[44]]).toEqual([sum(23), sum(33)])
    expect([values[3], values[13]]).toEqual(['70100', '70000'])
  })

  test('trades of one moment travel in one frame', async () => {
    await sim.close()
    await open({ walk: { ticksPerSecond: 5, burst: 4 } })
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    await sim.clock.advance(30_000)
    const frames = []
    for (let n = 0; n < 60; n++) frames.push(await socket.frame())
    for (const { count, values } of frames) expect(values).toHaveLength(47 * count)
    expect(frames.some(({ count }) => count > 1)).toBe(true)
    const volumes = frames.flatMap(({ values }) => values.filter((_, i) => i % 47 === 13).map(Number))
    const sizes = frames.flatMap(({ values }) => values.filter((_, i) => i % 47 === 12).map(Number))
    expect(volumes.slice(1)).toEqual(volumes.slice(0, -1).map((volume, i) => volume + (sizes[i + 1] ?? 0)))
  })

  test('an interruption shows expected prices, marked as such', async () => {
    const socket = await client.socket()
    await socket.register('H0STMKO0', CODE)
    await socket.register('H0STCNT0', CODE)
    sim.interrupt(CODE)
    expect((await socket.frame()).values.slice(0, 9)).toEqual([CODE, 'N', '', '164', '', '', '', '55', 'Y'])
    sim.setPrice(CODE, 70_100)
    expect(await socket.tick()).toMatchObject({ HOUR_CLS_CODE: 'C', CCLD_DVSN: '3', ACML_VOL: '0' })
  })
})

describe('notices', () => {
  test('report acceptance, part fills and cancellation, encrypted, in 26 fields', async () => {
    const socket = await client.socket()
    expect((await socket.notices()).header.encrypt).toBe('Y')
    const { output } = await client.order({ count: 10, price: 69_900 })
    sim.setPrice(CODE, 69_900, { count: 4, aggressor: 'sell' })
    await client.change(output[0]?.['ODNO'] ?? '')
    const common = {
      CUST_ID: ME.htsId,
      ACNT_NO: ME.accountNumber,
      SELN_BYOV_CLS: '02',
      STCK_SHRN_ISCD: CODE,
      BRNC_NO: '06010',
      CNTG_ISNM40: '삼성전자',
      ORD_EXG_GB: '1',
    }
    const accepted = {
      ODER_NO: '0000000001',
      CNTG_QTY: '0000000010',
      CNTG_UNPR: '000069900',
      CNTG_YN: '1',
      ACPT_YN: '1',
      RCTF_CLS: '0',
      ODER_QTY: '000000010',
    }
    expect(await socket.notice()).toMatchObject({ ...common, ...accepted })
    expect(await socket.notice()).toMatchObject({
      ...common,
      CNTG_QTY: '0000000004',
      CNTG_YN: '2',
      ACPT_YN: '2',
      ODER_KIND: '00',
      ODER_PRC: '000069900',
    })
    const change = {
      ODER_NO: '0000000002',
      OODER_NO: '0000000001',
      RCTF_CLS: '2',
      CNTG_QTY: '0000000006',
      CNTG_YN: '1',
    }
    expect(await socket.notice()).toMatchObject({ ...common, ...change, ACPT_YN: '1' })
    expect(await socket.notice()).toMatchObject({ ...common, ...change, ACPT_YN: '2' })
  })

  test('23 fields as before NXT', async () => {
    await sim.close()
    await open({ noticeFields: 23 })
    const socket = await client.socket()
    await socket.notices()
    await client.order({ count: 1, price: 69_900 })
    const { values } = await socket.frame()
    expect(values).toHaveLength(23)
    expect([values[9], values[18], values[19]]).toEqual(['0000000001', '삼성전자', '10'])
  })

  test('report IOC remainders, but not other people’s orders', async () => {
    const other = await RawClient.login(sim, demoCredentials(1))
    const socket = await client.socket()
    await socket.notices()
    await other.order({ count: 1, price: 70_000 })
    await client.order({ count: 3, price: 69_900, division: '11' })
    expect(await socket.notice()).toMatchObject({ ACNT_NO: ME.accountNumber, ACPT_YN: '1', ODER_COND: '1' })
    expect(await socket.notice()).toMatchObject({ ACPT_YN: '3', CNTG_QTY: '0000000003' })
  })

  test('name the venue that a SOR order went to', async () => {
    const socket = await client.socket()
    await socket.notices()
    await client.order({ count: 1, price: 70_000, venue: 'SOR' })
    expect((await socket.notice())['ORD_EXG_GB']).toMatch(/^[34]$/)
  })
})
