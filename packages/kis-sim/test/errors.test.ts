import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, type Sim } from '../src/index.ts'
import { at, RawClient, stillSim, type OrderText, type Row } from './client.ts'
import { WIRE } from './wire.ts'

const CODE = '005930'
const REAL = demoCredentials(0)
const PAPER = demoCredentials(1)

let sim: Sim
let client: RawClient
let paper: RawClient
beforeEach(async () => {
  sim = await stillSim({ accounts: [{ credentials: REAL }, { credentials: PAPER, env: 'paper' }] })
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
  paper = await RawClient.login(sim, PAPER, 'paper')
})
afterEach(() => sim.close())

const ORDER = { PDNO: CODE, ORD_DVSN: '00', ORD_QTY: '1', ORD_UNPR: '69900', EXCG_ID_DVSN_CD: 'KRX' }

const Codes = z.looseObject({ rt_cd: z.string().optional(), msg_cd: z.string().optional() })
interface Raw {
  readonly status: number
  readonly code: string | undefined
  readonly rt: string | undefined
}

/** One request with exactly these headers and this body. */
async function raw(method: string, path: string, headers: Row, body?: string): Promise<Raw> {
  const reply = await fetch(`${sim.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const { rt_cd: rt, msg_cd: code } = Codes.parse(await reply.json())
  return { status: reply.status, code, rt }
}

const buy = (headers: Row = {}, body: string = JSON.stringify({ ...client.identity, ...ORDER })): Promise<Raw> =>
  raw(
    'POST',
    WIRE.orderBuy.path,
    { ...client.headers, 'content-type': 'application/json', tr_id: WIRE.orderBuy.real, ...headers },
    body,
  )

const placed = (): number => sim.orders(REAL.accountNumber).length

describe('the gateway refuses an order', () => {
  test.each<[string, Row, string]>([
    ['with an unknown app key', { appkey: 'nobody' }, 'EGW00103'],
    ['with another secret', { appsecret: 'wrong' }, 'EGW00105'],
    ['with a scheme that is not Bearer', { authorization: 'Basic abc' }, 'EGW00205'],
    ['without a token', { authorization: '' }, 'EGW00205'],
    ['with an unknown token', { authorization: 'Bearer abc' }, 'EGW00121'],
    ['of another content type', { 'content-type': 'text/plain' }, 'EGW00132'],
    ['with a customer type nobody has', { custtype: 'X' }, 'EGW00208'],
    ['with a hash of something else', { hashkey: 'f'.repeat(64) }, 'EGW00131'],
    ['under an invented id', { tr_id: 'TTTC9999U' }, 'OPSQ0002'],
    ['under a paper id', { tr_id: 'VTTC0012U' }, 'EGW02007'],
  ])('%s: 500 %s', async (_name, headers, code) => {
    expect(await buy(headers)).toEqual({ status: 500, rt: '1', code })
    expect(placed()).toBe(0)
  })

  test.each<[string, Row, string | undefined, { rt: string; code: string }]>([
    ['without a transaction id', { tr_id: '' }, undefined, { rt: '2', code: 'OPSQ9999' }],
    ['whose body is no JSON', {}, '{"CANO":', { rt: '2', code: 'OPSQ9997' }],
    ['whose body is a list', {}, '"text"', { rt: '2', code: 'OPSQ9997' }],
  ])('%s: at 200, as wrong input', async (_name, headers, body, expected) => {
    expect(await buy(headers, body)).toEqual({ status: 200, ...expected })
    expect(placed()).toBe(0)
  })

  test('of the other user’s token, though the key is right', async () => {
    const { authorization = '' } = paper.headers
    expect(await buy({ authorization })).toMatchObject({ status: 500, code: 'EGW00121' })
  })

  test('sent in chunks, without a length', async () => {
    const socket = connect(sim.port, '127.0.0.1')
    const head = { ...client.headers, tr_id: WIRE.orderBuy.real, host: 'sim', connection: 'close' }
    const lines = Object.entries({ ...head, 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    const body = JSON.stringify({ ...client.identity, ...ORDER })
    socket.write(`POST ${WIRE.orderBuy.path} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}`).join('\r\n')}\r\n\r\n`)
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    const reply = await text(socket)
    expect(reply).toMatch(/^HTTP\/1\.1 500 /)
    expect(reply).toContain('EGW00202')
    expect(placed()).toBe(0)
  })
})

describe('the gateway takes an order', () => {
  test.each<[string, Row]>([
    ['of a corporate customer', { custtype: 'B' }],
    ['with a character set in its type', { 'content-type': 'application/json; charset=utf-8' }],
  ])('%s', async (_name, headers) => {
    expect(await buy(headers)).toEqual({ status: 200, rt: '0', code: 'APBK0013' })
  })

  test('with the hash the broker itself gave', async () => {
    const body = JSON.stringify({ ...client.identity, ...ORDER })
    const { appkey = '', appsecret = '' } = client.headers
    const reply = await fetch(`${sim.url}/uapi/hashkey`, { method: 'POST', headers: { appkey, appsecret }, body })
    const { HASH, BODY } = z
      .object({ HASH: z.string(), BODY: z.record(z.string(), z.string()) })
      .parse(await reply.json())
    expect(HASH).toBe(createHash('sha256').update(body).digest('hex'))
    expect(BODY).toEqual(JSON.parse(body))
    expect(await buy({ hashkey: HASH })).toMatchObject({ code: 'APBK0013' })
  })

  test('without a customer type, as the broker’s own collections send it', async () => {
    const { custtype: _none, ...headers } = client.headers
    const all = { ...headers, 'content-type': 'application/json', tr_id: WIRE.orderBuy.real }
    const body = JSON.stringify({ ...client.identity, ...ORDER })
    expect(await raw('POST', WIRE.orderBuy.path, all, body)).toEqual({ status: 200, rt: '0', code: 'APBK0013' })
  })

  test('not with bare numbers', async () => {
    const bare = { ...client.identity, ...ORDER, ORD_QTY: 1 }
    expect(await buy({}, JSON.stringify(bare))).toEqual({ status: 200, rt: '2', code: 'OPSQ2001' })
  })

  test.each(['CANO', 'PDNO', 'ORD_QTY', 'every name'])('not with %s in lower case', async (name) => {
    const body = Object.entries({ ...client.identity, ...ORDER }).map(([key, value]) => [
      key === name || name === 'every name' ? key.toLowerCase() : key,
      value,
    ])
    const reply = await buy({}, JSON.stringify(Object.fromEntries(body)))
    expect(reply).toEqual({ status: 200, rt: '2', code: 'OPSQ2001' })
    expect(sim.orders(REAL.accountNumber)).toEqual([])
  })
})

test.each(['PDNO', 'ORD_DVSN', 'ORD_QTY', 'ORD_UNPR'])('an order without %s is wrong input', async (name) => {
  const { [name]: _gone, ...rest } = { ...client.identity, ...ORDER } as Row
  expect(await buy({}, JSON.stringify(rest))).toEqual({ status: 200, rt: '2', code: 'OPSQ2001' })
})

test('a body without end is cut off, and the broker goes on serving', async () => {
  const socket = connect(sim.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST /oauth2/tokenP HTTP/1.1\r\nhost: sim\r\ncontent-length: 9000000\r\n\r\n')
  const end = new Promise((resolve) => socket.once('close', resolve))
  const flood = (): void => {
    if (!socket.destroyed) socket.write(Buffer.alloc(500_000, 'x'), () => flood())
  }
  flood()
  await end
  expect((await client.balance()).rt_cd).toBe('0')
})

describe('business refusals, real and paper, at 200 with a padded text and no output', () => {
  test.each<[string, OrderText, [string, string], [string, string]]>([
    [
      'an unknown code',
      { code: '999999', count: 1, price: 70_000 },
      ['APBK0656', '해당종목'],
      ['40910002', '매매불가 종목'],
    ],
    [
      'no such division',
      { count: 1, price: 70_000, division: '99' },
      ['APBK1269', '주문구분'],
      ['40970000', '주문유형'],
    ],
    ['no shares', { count: 0, price: 70_000 }, ['APBK0918', '주문수량'], ['40240001', '주문수량']],
    ['half a tick', { count: 1, price: 70_050 }, ['APBK0918', '호가단위'], ['40270000', '호가단위']],
    ['below the lower limit', { count: 1, price: 48_950 }, ['APBK0918', '상/하한가'], ['40270000', '상/하한가']],
    ['above the upper limit', { count: 1, price: 91_100 }, ['APBK0918', '상/하한가'], ['40270000', '상/하한가']],
    ['too little cash', { count: 2_000, price: 70_000 }, ['APBK0952', '주문가능금액'], ['40250000', '주문가능금액']],
    ['nothing to sell', { side: 'sell', count: 1, price: 70_000 }, ['APBK1234', '잔고'], ['40240000', '잔고내역']],
    ['a venue nobody has', { count: 1, price: 70_000, venue: 'XYZ' }, ['APBK0918', '거래소'], ['40970001', '거래소']],
  ])('%s', async (_name, order, onReal, onPaper) => {
    for (const [who, [code, message]] of [
      [client, onReal],
      [paper, onPaper],
    ] as const) {
      const reply = await who.order(order)
      expect(reply).toMatchObject({ status: 200, rt_cd: code === 'APBK0952' ? '7' : '1', msg_cd: code, output: [] })
      expect(reply.msg1).toContain(message)
      expect(reply.msg1).toHaveLength(80)
    }
  })

  test('half the shares are locked in another sale', async () => {
    for (const [who, credentials, code] of [
      [client, REAL, 'APBK0400'],
      [paper, PAPER, '40240000'],
    ] as const) {
      sim.setHolding(credentials.accountNumber, CODE, 10, 60_000)
      expect((await who.order({ side: 'sell', count: 5, price: 75_000 })).rt_cd).toBe('0')
      expect((await who.order({ side: 'sell', count: 6, price: 75_000 })).msg_cd).toBe(code)
      expect((await who.order({ side: 'sell', count: 5, price: 75_000 })).rt_cd).toBe('0')
    }
  })

  test.each(['NXT', 'SOR'])('paper has no %s', async (venue) => {
    expect(await paper.order({ count: 1, price: 70_000, venue })).toMatchObject({ msg_cd: '40970001' })
  })

  test.each(['05', '06', '07', '11', '12', '13', '14', '15', '16', '21', '22', '23', '24', '27', '41', '47'])(
    'paper offers no division %s',
    async (division) => {
      expect(await paper.order({ count: 1, price: 70_000, division })).toMatchObject({ msg_cd: '40970000' })
    },
  )
})

const revise = async (fields: Row, who = client) => {
  const all = { KRX_FWDG_ORD_ORGNO: '', ORGN_ODNO: '1', ORD_DVSN: '00', RVSE_CNCL_DVSN_CD: '02', ORD_QTY: '0' }
  return who.call('orderRevise', { ...all, ORD_UNPR: '0', QTY_ALL_ORD_YN: 'Y', EXCG_ID_DVSN_CD: 'KRX', ...fields })
}

describe('refusals of a change', () => {
  beforeEach(async () => {
    await client.order({ count: 10, price: 69_000 })
    await paper.order({ count: 10, price: 69_000 })
  })

  test.each<[string, Row, string]>([
    ['a number nobody has', { ORGN_ODNO: '77' }, '원주문번호가 존재하지'],
    ['another branch', { KRX_FWDG_ORD_ORGNO: '99999' }, '원주문번호가 존재하지'],
    ['another venue', { EXCG_ID_DVSN_CD: 'NXT' }, '거래소구분이 다릅니다'],
    ['part of it, of no shares', { QTY_ALL_ORD_YN: 'N' }, '주문수량'],
    ['part of it, of text', { QTY_ALL_ORD_YN: 'N', ORD_QTY: 'ten' }, '주문수량'],
    ['more than there is', { QTY_ALL_ORD_YN: 'N', ORD_QTY: '11' }, '수량을 초과'],
    ['a price between ticks', { RVSE_CNCL_DVSN_CD: '01', ORD_UNPR: '69050' }, '호가단위'],
    ['a price that is no number', { RVSE_CNCL_DVSN_CD: '01', ORD_UNPR: 'x' }, '호가단위'],
    ['a price off the limits', { RVSE_CNCL_DVSN_CD: '01', ORD_UNPR: '91100' }, '상/하한가'],
    ['an unknown division', { RVSE_CNCL_DVSN_CD: '01', ORD_DVSN: '98', ORD_UNPR: '69000' }, '주문구분'],
  ])('%s', async (_name, fields, message) => {
    const reply = await revise(fields)
    expect(reply).toMatchObject({ status: 200, rt_cd: '1' })
    expect(reply.msg1).toContain(message)
    expect(sim.liveOrders(REAL.accountNumber)).toMatchObject([{ remaining: 10, price: 69_000 }])
  })

  test.each(['ORGN_ODNO', 'RVSE_CNCL_DVSN_CD', 'ORD_QTY', 'ORD_UNPR', 'QTY_ALL_ORD_YN'])('%s missing', async (name) => {
    const body = { ...client.identity, ORGN_ODNO: '1', RVSE_CNCL_DVSN_CD: '02', ORD_QTY: '0', ORD_UNPR: '0' }
    const { [name]: _gone, ...rest } = { ...body, QTY_ALL_ORD_YN: 'Y' } as Row
    const headers = { ...client.headers, 'content-type': 'application/json', tr_id: WIRE.orderRevise.real }
    expect(await raw('POST', WIRE.orderRevise.path, headers, JSON.stringify(rest))).toMatchObject({ code: 'OPSQ2001' })
  })

  test('neither a modification nor a cancellation', async () => {
    expect(await revise({ RVSE_CNCL_DVSN_CD: '03' })).toMatchObject({ rt_cd: '2', msg_cd: 'OPSQ2001' })
  })

  test('paper: its own codes and its own success', async () => {
    const odno = sim.orders(PAPER.accountNumber)[0]?.odno ?? ''
    expect(await revise({ ORGN_ODNO: '77' }, paper)).toMatchObject({ msg_cd: '40320000' })
    expect((await revise({ ORGN_ODNO: odno }, paper)).rt_cd).toBe('0')
    expect(await revise({ ORGN_ODNO: odno }, paper)).toMatchObject({ msg_cd: '40330000' })
  })

  test('a cancellation cannot be cancelled', async () => {
    const { output } = await revise({})
    expect((await revise({ ORGN_ODNO: output[0]?.['ODNO'] ?? '' })).msg1).toContain('원주문번호가 존재하지')
  })
})

test.each<[string, string, string]>([
  ['before the open', '08:59:59', '40570000'],
  ['after the close', '15:30:00', '40580000'],
])('paper has the regular session only: %s', async (_name, time, code) => {
  await sim.close()
  const accounts = [{ credentials: PAPER, env: 'paper' as const }]
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at(time) }, accounts })
  const who = await RawClient.login(sim, PAPER, 'paper')
  expect(await who.order({ count: 1, price: 158_600 })).toMatchObject({ msg_cd: code })
})
