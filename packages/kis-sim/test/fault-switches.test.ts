import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, type FaultKind, type Sim } from '../src/index.ts'
import { RawClient, stillSim, type RawSocket, type Row } from './client.ts'

/** Every switch of the simulator's faults: ordered over HTTP, shown to do what it says, and to end. */
const CODE = '005930'
const ME = demoCredentials(0)
const OTHER = demoCredentials(1)
const ORDER = { count: 10, price: 69_900 }

let sim: Sim
let client: RawClient
beforeEach(async () => {
  sim = await stillSim({ assumptions: { pingPongMs: [1e9, 1e9] } })
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
})
afterEach(() => sim.close())

const Listed = z.object({
  armed: z.array(z.looseObject({ id: z.number(), left: z.number().nullable() })),
  counts: z.record(z.string(), z.number()),
})
const listed = async (): Promise<z.infer<typeof Listed>> =>
  Listed.parse(await (await fetch(`${sim.url}/sim/faults`)).json())
const arm = async (fault: object): Promise<number> => {
  const reply = await fetch(`${sim.url}/sim/faults`, { method: 'POST', body: JSON.stringify(fault) })
  const body: unknown = await reply.json()
  if (!reply.ok) throw new Error(JSON.stringify(body))
  return z.object({ id: z.number() }).parse(body).id
}
const clear = (id?: number): Promise<Response> =>
  fetch(`${sim.url}/sim/faults${id === undefined ? '' : `?id=${id}`}`, { method: 'DELETE' })

const placed = (of = ME): number => sim.orders(of.accountNumber).length
const answered = async (): Promise<string> =>
  client.order(ORDER).then(
    ({ status, msg_cd }) => `${status} ${msg_cd}`,
    () => 'broken',
  )

describe('a fault of a call, once and then never again', () => {
  test.each<[string, object, string, number]>([
    ['loseRequest', { kind: 'loseRequest' }, 'broken', 0],
    ['loseReply', { kind: 'loseReply' }, 'broken', 1],
    ['lateRequest', { kind: 'lateRequest', ms: 1_000 }, 'broken', 0],
    ['doubleRequest', { kind: 'doubleRequest' }, '200 APBK0013', 2],
    ['phantom', { kind: 'phantom' }, '200 APBK0013', 0],
    ['code', { kind: 'code', code: 'EGW00202' }, '500 EGW00202', 0],
    ['code, carried out', { kind: 'code', code: 'EGW00301', carriedOut: true }, '500 EGW00301', 1],
    ['code at 200', { kind: 'code', code: 'EGW00201', status: 200 }, '200 EGW00201', 0],
    ['code nobody lists', { kind: 'code', code: 'XX' }, '500 XX', 0],
    ['broken', { kind: 'broken' }, '500 ', 0],
    ['broken, blank', { kind: 'broken', body: 'blank', status: 503 }, '503 ', 0],
    ['broken, a page', { kind: 'broken', body: 'html', status: 502 }, '502 ', 0],
    ['broken, carried out', { kind: 'broken', body: 'empty', carriedOut: true }, '500 ', 1],
    ['refuse', { kind: 'refuse', code: 'APBK0918', text: '장운영시간이 아닙니다.' }, '200 APBK0918', 0],
  ])('%s', async (_name, fault, expected, orders) => {
    await arm({ ...fault, times: 1, endpoint: 'orderBuy', account: ME.accountNumber })
    expect((await client.balance()).rt_cd).toBe('0')
    expect(await answered()).toBe(expected)
    expect(placed()).toBe(orders)
    expect((await listed()).armed).toEqual([])
    expect(await answered()).toBe('200 APBK0013')
    expect(placed()).toBe(orders + 1)
  })

  test.each(['loseRequest', 'loseReply', 'lateRequest'] as const)('%s can hang instead of breaking', async (kind) => {
    await arm({ kind, how: 'hang', times: 1, ...(kind === 'lateRequest' && { ms: 1 }) })
    const waiting = answered()
    const first = await Promise.race([waiting, client.balance().then(() => 'still waiting')])
    expect(first).toBe('still waiting')
    await sim.close()
    expect(await waiting).toBe('broken')
    // For the end of the test to close.
    sim = await stillSim()
  })

  test.each([
    ['delay', { kind: 'delay', ms: 3_000 }, 3_000],
    ['noticeFirst', { kind: 'noticeFirst', ms: 700 }, 700],
    ['noticeFirst by default', { kind: 'noticeFirst' }, 50],
  ])('%s holds the reply back, not the order', async (_name, fault, ms) => {
    await arm({ ...fault, times: 1, endpoint: 'orderBuy' })
    let done = false
    const reply = answered().then((text) => {
      done = true
      return text
    })
    while (placed() === 0) await client.balance()
    await sim.clock.advance(ms - 1)
    await client.balance()
    expect(done).toBe(false)
    await sim.clock.advance(1)
    expect(await reply).toBe('200 APBK0013')
  })

  test('token and approval can fail, too', async () => {
    await arm({ kind: 'code', code: 'EGW00002', endpoint: 'token', times: 1 })
    await expect(client.renew()).rejects.toThrow('access_token')
    await client.renew()
    await arm({ kind: 'loseReply', endpoint: 'approval', times: 1, account: ME.accountNumber })
    await expect(client.approval()).rejects.toThrow('fetch failed')
    expect(await client.approval()).toHaveLength(36)
  })
})

describe('how a fault ends', () => {
  test('after so many times; by its number; all at once; never by itself', async () => {
    await arm({ kind: 'code', code: 'EGW00202', times: 2 })
    expect([await answered(), await answered(), await answered()]).toEqual([
      '500 EGW00202',
      '500 EGW00202',
      '200 APBK0013',
    ])
    const [first, second] = [await arm({ kind: 'code', code: 'A' }), await arm({ kind: 'code', code: 'B' })]
    for (let n = 0; n < 3; n++) expect(await answered()).toBe('500 A')
    await clear(first)
    expect(await answered()).toBe('500 B')
    expect((await listed()).armed.map(({ id }) => id)).toEqual([second])
    await clear()
    expect(await answered()).toBe('200 APBK0013')
    expect((await listed()).counts).toEqual({ code: 6 })
  })

  test('one aimed elsewhere, or without chance, never begins', async () => {
    await arm({ kind: 'loseRequest', account: OTHER.accountNumber })
    await arm({ kind: 'loseRequest', endpoint: 'orderSell' })
    await arm({ kind: 'loseRequest', probability: 0 })
    expect(await answered()).toBe('200 APBK0013')
    expect((await listed()).counts).toEqual({})
    expect((await listed()).armed).toHaveLength(3)
  })

  test.each<[string, object]>([
    ['no such kind', { kind: 'earthquake' }],
    ['no milliseconds', { kind: 'delay' }],
    ['less than no time', { kind: 'delay', ms: -1 }],
    ['more than certain', { kind: 'cut', probability: 1.1 }],
    ['not once', { kind: 'cut', times: 0 }],
    ['an account of eight digits', { kind: 'cut', account: '12345678' }],
    ['a status nobody sends', { kind: 'code', code: 'A', status: 99 }],
    ['a field of another kind', { kind: 'cut', ms: 5 }],
  ])('%s is refused, and nothing is armed', async (_name, fault) => {
    await expect(arm(fault)).rejects.toThrow('message')
    expect((await listed()).armed).toEqual([])
  })
})

/** Acceptance and confirmation of every notice until a registration made now is acknowledged. */
async function notices(socket: RawSocket): Promise<Row[]> {
  const until = socket.received.length
  socket.ask('H0STCNT0', '000660')
  while (!socket.received.slice(until).some((text) => text.startsWith('{'))) await once(socket.ws, 'received')
  const count = socket.received.slice(1).filter((text) => text.startsWith('1|')).length
  const found: Row[] = []
  for (let n = 0; n < count; n++) found.push(await socket.notice())
  expect(await socket.take()).toContain('SUBSCRIBE SUCCESS')
  return found
}
const kinds = (found: readonly Row[]): string[] =>
  found.map((n) => `${n['CNTG_YN']}${n['ACPT_YN']} ${Number(n['CNTG_QTY'])}`)

describe('a fault of notices: acceptance of 10, fills of 4 and 6', () => {
  const ALL = ['11 10', '22 4', '22 6']
  test.each<[string, object, string[], string[]]>([
    ['none', {}, ALL, ALL],
    ['dropNotice', { kind: 'dropNotice' }, ['22 4', '22 6'], ['22 4', '22 6']],
    ['duplicateNotice', { kind: 'duplicateNotice' }, ['11 10', ...ALL], ['11 10', ...ALL]],
    ['reorderNotice', { kind: 'reorderNotice' }, ['22 4', '11 10', '22 6'], ['22 4', '11 10', '22 6']],
    ['delayNotice', { kind: 'delayNotice', ms: 5_000 }, ['22 4', '22 6'], ['22 4', '22 6', '11 10']],
  ])('%s', async (_name, fault, before, after) => {
    const other = await RawClient.login(sim, OTHER)
    const [socket, quiet] = [await client.socket(), await other.socket()]
    await socket.notices()
    await quiet.notices()
    if ('kind' in fault) await arm({ ...fault, times: 1, account: ME.accountNumber })
    await other.order(ORDER)
    await client.order(ORDER)
    sim.setPrice(CODE, 69_900, { count: 14, aggressor: 'sell' })
    sim.setPrice(CODE, 69_900, { count: 6, aggressor: 'sell' })
    await sim.clock.advance(4_999)
    const seen = kinds(await notices(socket))
    expect(seen).toEqual(before)
    await sim.clock.advance(1)
    const late = after.length > before.length ? kinds([await socket.notice()]) : []
    expect([...seen, ...late]).toEqual(after)
    expect(kinds(await notices(quiet))).toEqual(['11 10', '22 10'])
    expect((await listed()).armed).toEqual([])
  })

  test('dropNotice goes on until cleared', async () => {
    const socket = await client.socket()
    await socket.notices()
    const id = await arm({ kind: 'dropNotice' })
    for (let n = 0; n < 3; n++) await client.order({ count: 1, price: 69_000 })
    await clear(id)
    await client.order({ count: 7, price: 69_000 })
    expect(kinds(await notices(socket))).toEqual(['11 7'])
    expect((await listed()).counts).toEqual({ dropNotice: 3 })
  })
})

describe('a fault of sockets', () => {
  test.each([
    ['cut', 1006],
    ['close', 1000],
  ] as const)('%s ends the one of its account with the next frame, and the next one lives', async (kind, code) => {
    const other = await RawClient.login(sim, OTHER)
    const [socket, quiet] = [await client.socket(), await other.socket()]
    await socket.register('H0STCNT0', CODE)
    await quiet.register('H0STCNT0', CODE)
    await arm({ kind, times: 1, account: ME.accountNumber })
    const end = once(socket.ws, 'close')
    sim.setPrice(CODE, 70_100)
    expect(await end).toContain(code)
    expect((await quiet.tick())['STCK_PRPR']).toBe('70100')
    const again = await client.socket()
    expect((await again.register('H0STCNT0', CODE)).body.msg_cd).toBe('OPSP0000')
    sim.setPrice(CODE, 70_200)
    expect((await again.tick())['STCK_PRPR']).toBe('70200')
  })

  test('freeze leaves it open and silent, for good', async () => {
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    await arm({ kind: 'freeze', times: 1 })
    sim.setPrice(CODE, 70_100)
    sim.setPrice(CODE, 70_200)
    await client.balance()
    expect([socket.ws.readyState, socket.received.length]).toEqual([socket.ws.OPEN, 1])
    expect((await listed()).counts).toEqual({ freeze: 1 })
  })
})

describe('a fault of the ledger', () => {
  test('rejectLater turns one order down after its acceptance, and gives its money back', async () => {
    const before = sim.cash(ME.accountNumber).orderable
    await arm({ kind: 'rejectLater', times: 1 })
    expect(await answered()).toBe('200 APBK0013')
    expect(sim.cash(ME.accountNumber).orderable).toBe(before)
    expect((await client.executions()).output1).toMatchObject([{ rjct_qty: '10', rmn_qty: '0' }])
    expect(await answered()).toBe('200 APBK0013')
    expect(sim.liveOrders(ME.accountNumber)).toHaveLength(1)
  })

  test('listingLag hides an order from the list, not from its cancellation', async () => {
    await arm({ kind: 'listingLag', ms: 4_000, times: 1 })
    const { output } = await client.order(ORDER)
    await client.order(ORDER)
    const shown = async () => (await client.executions()).output1.map((row) => Number(row['odno']))
    expect(await shown()).toEqual([2])
    expect((await client.change(output[0]?.['ODNO'] ?? '')).rt_cd).toBe('0')
    await sim.clock.advance(3_999)
    expect(await shown()).toEqual([2, 3])
    await sim.clock.advance(1)
    expect(await shown()).toEqual([1, 2, 3])
  })

  test('balanceLag delays what the balance shows, not what can be sold or spent', async () => {
    await arm({ kind: 'balanceLag', ms: 4_000, times: 1 })
    await client.order({ count: 10, price: 70_000 })
    const held = async () => (await client.balance()).output1.map((row) => row['hldg_qty'])
    expect(await held()).toEqual([])
    expect((await client.call('sellable', { PDNO: CODE })).output[0]?.['ord_psbl_qty']).toBe('10')
    await sim.clock.advance(4_000)
    expect(await held()).toEqual(['10'])
  })
})

test('every kind of fault can be ordered from another process', async () => {
  const needs: Record<FaultKind, object> = {
    loseRequest: {},
    lateRequest: { ms: 1 },
    doubleRequest: {},
    phantom: {},
    loseReply: {},
    delay: { ms: 1 },
    code: { code: 'A' },
    broken: {},
    refuse: { code: 'A', text: 'B' },
    noticeFirst: {},
    dropNotice: {},
    duplicateNotice: {},
    reorderNotice: {},
    delayNotice: { ms: 1 },
    cut: {},
    close: {},
    freeze: {},
    rejectLater: {},
    listingLag: { ms: 1 },
    balanceLag: { ms: 1 },
  }
  for (const [kind, more] of Object.entries(needs)) await arm({ kind, ...more, probability: 0 })
  expect((await listed()).armed).toHaveLength(Object.keys(needs).length)
})
