import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, UNIVERSE } from '../src/index.ts'
import { RawClient, stillSim, type Reply, type Row } from './client.ts'
import { WIRE, WIRE_NAMES } from './wire.ts'

const ME = demoCredentials(0)
let sim: Sim
let client: RawClient
beforeEach(async () => {
  sim = await stillSim()
  client = await RawClient.login(sim)
})
afterEach(() => sim.close())

/** Every row of every page, by the header alone. */
async function walk(
  page: (more: Row, headers: Row) => Promise<Reply>,
): Promise<{ sizes: number[]; keys: string[]; conts: string[] }> {
  const [sizes, keys, conts]: [number[], string[], string[]] = [[], [], []]
  let [more, headers]: Row[] = [{}, {}]
  for (;;) {
    const reply = await page(more ?? {}, headers ?? {})
    sizes.push(reply.output1.length)
    conts.push(reply.cont ?? '')
    keys.push(...reply.output1.map((row) => row['odno'] ?? row['pdno'] ?? ''))
    if (reply.cont !== 'F' && reply.cont !== 'M') return { sizes, keys, conts }
    more = { CTX_AREA_FK100: String(reply['ctx_area_fk100']), CTX_AREA_NK100: String(reply['ctx_area_nk100']) }
    headers = { tr_cont: 'N' }
  }
}

describe('paging', () => {
  test.each([
    ['real', 120, [100, 20], ['F', 'E']],
    ['paper', 40, [15, 15, 10], ['F', 'M', 'E']],
  ] as const)('daily-ccld on %s', async (env, orders, sizes, conts) => {
    await sim.close()
    sim = await stillSim({ accounts: [{ credentials: ME, env }] })
    client = await RawClient.login(sim, ME, env)
    for (let n = 0; n < orders; n++) await client.order({ count: 1, price: 150_000 })
    const all = await walk((more, headers) => client.executions(more, headers))
    expect(all).toMatchObject({ sizes, conts })
    expect(new Set(all.keys).size).toBe(orders)
    expect(all.keys).toEqual(all.keys.toSorted())
  })

  test('orders placed between two pages neither hide nor repeat a row', async () => {
    for (let n = 0; n < 110; n++) await client.order({ count: 1, price: 150_000 })
    const newest = { INQR_DVSN: '00' }
    const first = await client.executions(newest)
    await client.order({ count: 1, price: 150_000 })
    const next = { ...newest, CTX_AREA_NK100: String(first['ctx_area_nk100']) }
    const second = await client.executions(next, { tr_cont: 'N' })
    expect(second.output1.map((row) => row['odno'])).toEqual(
      Array.from({ length: 10 }, (_, i) => String(10 - i).padStart(10, '0')),
    )
  })

  test('balance: 50 rows on real', async () => {
    for (const { code } of UNIVERSE) sim.setHolding(ME.accountNumber, code, 1, 1_000)
    const all = await walk((more, headers) => client.balance(more, headers))
    expect(all).toMatchObject({ sizes: [50, UNIVERSE.length - 50], conts: ['F', 'E'] })
  })
})

describe('filters of daily-ccld', () => {
  beforeEach(async () => {
    sim.setHolding(ME.accountNumber, '000660', 5, 800_000)
    await client.order({ count: 1, price: 158_600 })
    await client.order({ count: 1, price: 150_000 })
    await client.order({ side: 'sell', code: '000660', count: 1, price: 900_000 })
    await client.order({ count: 1, price: 150_000, venue: 'NXT' })
  })
  test.each<[string, Row, string[]]>([
    ['everything', {}, ['1', '2', '3', '4']],
    ['KRX by default, which hides NXT', { EXCG_ID_DVSN_CD: '' }, ['1', '2', '3']],
    ['filled', { CCLD_DVSN: '01' }, ['1']],
    ['unfilled', { CCLD_DVSN: '02' }, ['2', '3', '4']],
    ['one side', { SLL_BUY_DVSN_CD: '01' }, ['3']],
    ['one code', { PDNO: '000660' }, ['3']],
    ['one order', { ODNO: '0000000002' }, ['2']],
    ['another day', { INQR_END_DT: '20261119' }, []],
  ])('%s', async (_name, filter, expected) => {
    expect((await client.executions(filter)).output1.map((row) => String(Number(row['odno'])))).toEqual(expected)
  })
})

test('names with a hyphen are capitalised on the wire, the broker’s own are not', async () => {
  const socket = connect(sim.port, '127.0.0.1')
  const head = Object.entries({ ...client.headers, tr_id: WIRE.price.real, host: 'sim', connection: 'close' })
  socket.write(`GET ${WIRE.price.path}?fid_cond_mrkt_div_code=J&fid_input_iscd=005930 HTTP/1.1\r\n`)
  socket.write(`${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('utf8')))
  await once(socket, 'end')
  const names = (text.split('\r\n\r\n')[0] ?? '')
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(':')[0] ?? '')
  expect(names).toEqual(expect.arrayContaining(['Content-Type', 'Content-Length', 'tr_id', 'tr_cont', 'gt_uid']))
  for (const name of names) expect(name).toMatch(/^([A-Z][a-z]*(-[A-Z][a-z]*)*|tr_id|tr_cont|gt_uid)$/)
})

describe('every call', () => {
  const FIELDS: Row = {
    FID_COND_MRKT_DIV_CODE: 'J',
    FID_INPUT_ISCD: '005930',
    PDNO: '005930',
    FID_INPUT_DATE_1: '20260901',
    FID_INPUT_DATE_2: '20261231',

    FID_PERIOD_DIV_CODE: 'D',
    FID_INPUT_HOUR_1: '153000',
    BASS_DT: '20261120',
    INQR_STRT_DT: '20261101',
    INQR_END_DT: '20261130',
  }
  const reads = WIRE_NAMES.filter((name) => WIRE[name].method === 'GET')

  test.each(reads)('%s answers with text leaves and a padded message', async (name) => {
    const reply = await client.call(name, FIELDS)
    expect(reply).toMatchObject({ status: 200, rt_cd: '0' })
    expect(reply.msg1).toHaveLength(80)
    expect(reply.cont).not.toBeNull()
  })

  test.each(reads)('%s on paper, or a clear no', async (name) => {
    const paper = demoCredentials(20)
    sim.addAccount({ credentials: paper, env: 'paper' })
    const reply = await (await RawClient.login(sim, paper, 'paper')).call(name, FIELDS)
    const no = { status: 500, msg_cd: 'EGW02006' }
    expect(reply).toMatchObject(WIRE[name].paper === null ? no : { status: 200, rt_cd: '0' })
  })
})

const ask = (name: 'price' | 'dayChart' | 'stockInfo' | 'orderBook' | 'minuteChart', fields: Row): Promise<Reply> =>
  client.call(name, { FID_COND_MRKT_DIV_CODE: 'J', ...fields })

describe('quotations', () => {
  test('a price carries the day, its limits and its tick', async () => {
    sim.setBase('005930', 73_400)
    sim.setPrice('005930', 73_000)
    sim.setPrice('005930', 73_500)
    expect((await ask('price', { FID_INPUT_ISCD: '005930' })).output[0]).toMatchObject({
      stck_prpr: '73500',
      prdy_vrss: '100',
      prdy_vrss_sign: '2',
      prdy_ctrt: '0.14',
      stck_oprc: '73000',
      stck_hgpr: '73500',

      stck_lwpr: '73000',
      stck_mxpr: '95400',
      stck_llam: '51400',
      stck_sdpr: '73400',
      aspr_unit: '100',
      temp_stop_yn: 'N',
    })
  })

  test('an unknown code answers well, with zeros', async () => {
    expect(await ask('price', { FID_INPUT_ISCD: '999999' })).toMatchObject({ rt_cd: '0', output: [{ stck_prpr: '0' }] })
  })

  test('the book ascends and descends from the spread, the clients’ own orders in it', async () => {
    await client.order({ count: 7, price: 158_000 })
    const { output1 } = await ask('orderBook', { FID_INPUT_ISCD: '005930' })
    const [book] = output1
    expect([book?.['askp1'], book?.['askp2'], book?.['bidp1'], book?.['bidp2']]).toEqual([
      '158600',
      '158700',
      '158500',
      '158400',
    ])
    const before = Number(book?.['bidp_rsqn6'])
    await client.order({ count: 7, price: 158_000 })
    expect(Number((await ask('orderBook', { FID_INPUT_ISCD: '005930' })).output1[0]?.['bidp_rsqn6'])).toBe(before + 7)
  })

  test('day bars end with today, newest first, a hundred at most; the name is in the chart', async () => {
    sim.setPrice('005930', 158_000)
    const { output1, output2 } = await ask('dayChart', {
      FID_INPUT_ISCD: '005930',
      FID_INPUT_DATE_1: '20250101',
      FID_INPUT_DATE_2: '20261231',
      FID_PERIOD_DIV_CODE: 'D',
    })
    expect(output1[0]?.['hts_kor_isnm']).toBe('삼성전자')
    expect(output2).toHaveLength(100)
    expect(output2[0]).toMatchObject({ stck_bsop_date: '20261120', stck_clpr: '158000' })
    expect(output2[1]).toMatchObject({ stck_bsop_date: '20261119', stck_clpr: '158600' })
  })

  test('minutes carry what was traded in them', async () => {
    sim.setPrice('005930', 158_000, { count: 5, venue: 'KRX' })
    sim.setPrice('005930', 159_000, { count: 6, venue: 'KRX' })
    await sim.clock.advance(60_000)
    sim.setPrice('005930', 158_500, { count: 1, venue: 'KRX' })
    const { output2 } = await ask('minuteChart', { FID_INPUT_ISCD: '005930', FID_INPUT_HOUR_1: '153000' })
    const first = {
      stck_cntg_hour: '100000',
      stck_oprc: '158000',
      stck_hgpr: '159000',
      stck_lwpr: '158000',
      stck_prpr: '159000',
      cntg_vol: '11',
    }
    expect(output2).toMatchObject([{ stck_cntg_hour: '100100', stck_prpr: '158500' }, first])
  })

  test.each([
    [
      '005930',
      {
        cptt_trad_tr_psbl_yn: 'Y',
        mket_id_cd: 'STK',
        scty_grp_id_cd: 'ST',
        prdt_abrv_name: '삼성전자',
        std_pdno: 'KR7005930003',
      },
    ],
    ['069500', { cptt_trad_tr_psbl_yn: 'N', scty_grp_id_cd: 'EF', prdt_abrv_name: 'KODEX 200' }],
    ['247540', { mket_id_cd: 'KSQ', excg_dvsn_cd: '03' }],
  ])('%s is what it is', async (code, expected) => {
    expect((await ask('stockInfo', { PRDT_TYPE_CD: '300', PDNO: code })).output[0]).toMatchObject(expected)
  })
})
