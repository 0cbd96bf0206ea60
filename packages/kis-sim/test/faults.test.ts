import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Fault, type Sim, type SimOptions } from '../src/index.ts'
import { RawClient, stillSim } from './client.ts'

const CODE = '005930'
const ME = demoCredentials(0)
const ORDER = { count: 10, price: 69_900 }

let sim: Sim
let client: RawClient
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim(options)
  sim.setBase(CODE, 70_000)
  client = await RawClient.login(sim)
}
beforeEach(() => open())
afterEach(() => sim.close())

const placed = (): number => sim.orders(ME.accountNumber).length
const strikeOnce = (fault: Fault): void => void sim.faults.add({ ...fault, times: 1 })

describe('a call', () => {
  test.each<[string, Fault, number]>([
    ['lost on the way there was never placed', { kind: 'loseRequest' }, 0],
    ['whose reply is lost is live', { kind: 'loseReply' }, 1],
  ])('%s', async (_name, fault, orders) => {
    strikeOnce({ ...fault, endpoint: 'orderBuy' })
    await expect(client.order(ORDER)).rejects.toThrow('fetch failed')
    expect(placed()).toBe(orders)
    expect(sim.faults.counts()).toEqual({ [fault.kind]: 1 })
    // Once means once.
    expect((await client.order(ORDER)).rt_cd).toBe('0')
  })

  test.each<[string, Fault, { status: number; msg_cd: string }, number]>([
    ['a gateway code', { kind: 'code', code: 'EGW00202' }, { status: 500, msg_cd: 'EGW00202' }, 0],
    [
      'a gateway time-out with the order live',
      { kind: 'code', code: 'EGW00302', carriedOut: true },
      { status: 500, msg_cd: 'EGW00302' },
      1,
    ],
    ['a code at 200', { kind: 'code', code: 'EGW00201', status: 200 }, { status: 200, msg_cd: 'EGW00201' }, 0],
    [
      'a code nobody knows with the order live',
      { kind: 'code', code: 'ZZZZ0001', status: 200, carriedOut: true },
      { status: 200, msg_cd: 'ZZZZ0001' },
      1,
    ],
    ['500 without codes', { kind: 'broken' }, { status: 500, msg_cd: '' }, 0],
    ['a page of HTML', { kind: 'broken', body: 'html', status: 502, carriedOut: true }, { status: 502, msg_cd: '' }, 1],
    [
      'a refusal in words',
      { kind: 'refuse', code: 'APBK0918', text: '장운영시간이 아닙니다.' },
      { status: 200, msg_cd: 'APBK0918' },
      0,
    ],
  ])('answered by %s', async (_name, fault, answer, orders) => {
    strikeOnce(fault)
    expect(await client.order(ORDER)).toMatchObject(answer)
    expect(placed()).toBe(orders)
  })

  test('taken late: the connection breaks, and the order comes back from the dead', async () => {
    strikeOnce({ kind: 'lateRequest', ms: 50_000, endpoint: 'orderBuy' })
    await expect(client.order(ORDER)).rejects.toThrow('fetch failed')
    await sim.clock.advance(49_999)
    expect(placed()).toBe(0)
    await sim.clock.advance(1)
    expect(sim.orders(ME.accountNumber)).toMatchObject([{ count: 10, price: 69_900, at: sim.clock.now() }])
    expect((await client.executions()).output1).toHaveLength(1)
  })

  test('taken late, when the session or the cash is gone: nothing comes of it', async () => {
    strikeOnce({ kind: 'lateRequest', ms: 1_000 })
    await client.order(ORDER).catch(() => null)
    sim.setCash(ME.accountNumber, 0)
    await sim.clock.advance(1_000)
    expect(placed()).toBe(0)
  })

  test('taken twice: one receipt, two orders', async () => {
    strikeOnce({ kind: 'doubleRequest', endpoint: 'orderBuy' })
    const { output } = await client.order(ORDER)
    expect(sim.orders(ME.accountNumber).map(({ odno }) => odno)).toEqual([output[0]?.['ODNO'], '0000000002'])
  })

  test('whoever listens to facts learns which orders no client sent by itself', async () => {
    const made: (string | null)[] = []
    sim.broker.ledger.onFact(({ kind }) => kind === 'accepted' && made.push(sim.faults.carrying))
    strikeOnce({ kind: 'doubleRequest' })
    await client.order(ORDER)
    strikeOnce({ kind: 'lateRequest', ms: 1_000 })
    await client.order(ORDER).catch(() => null)
    await sim.clock.advance(1_000)
    await client.order(ORDER)
    expect(made).toEqual([null, 'doubleRequest', 'lateRequest', null])
  })

  test('answered as accepted, and there is no such order', async () => {
    sim.faults.add({ kind: 'phantom', times: 2 })
    const replies = [await client.order(ORDER), await client.order(ORDER)]
    expect(replies.map(({ msg_cd }) => msg_cd)).toEqual(['APBK0013', 'APBK0013'])
    expect(new Set(replies.map(({ output }) => output[0]?.['ODNO'])).size).toBe(2)
    expect((await client.executions()).output1).toEqual([])
    expect((await client.order(ORDER)).output[0]?.['ODNO']).toBe('0000000001')
  })

  test('a phantom aimed at everything leaves queries alone', async () => {
    sim.faults.add({ kind: 'phantom' })
    expect((await client.balance()).rt_cd).toBe('0')
  })

  test('answered late', async () => {
    strikeOnce({ kind: 'delay', ms: 5_000, endpoint: 'orderBuy' })
    let answered = false
    const reply = client.order(ORDER).then((r) => {
      answered = true
      return r
    })
    while (placed() === 0) await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })
    await sim.clock.advance(4_999)
    await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })
    expect(answered).toBe(false)
    await sim.clock.advance(1)
    expect((await reply).rt_cd).toBe('0')
  })

  test('a fault strikes whom it is aimed at', async () => {
    const other = await RawClient.login(sim, demoCredentials(1))
    sim.faults.add({ kind: 'code', code: 'EGW00215', account: ME.accountNumber, endpoint: 'balance' })
    expect((await client.balance()).msg_cd).toBe('EGW00215')
    expect((await other.balance()).rt_cd).toBe('0')
    expect((await client.executions()).rt_cd).toBe('0')
    sim.faults.clear()
    expect((await client.balance()).rt_cd).toBe('0')
  })

  test('a probability is met in the long run, and the same seed repeats it', async () => {
    const run = async (): Promise<string> => {
      sim.faults.add({ kind: 'code', code: 'EGW00201', probability: 0.3 })
      let marks = ''
      for (let n = 0; n < 200; n++)
        marks += (await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })).rt_cd
      return marks
    }
    const first = await run()
    expect(first.split('1').length - 1).toBeGreaterThan(40)
    expect(first.split('1').length - 1).toBeLessThan(80)
    await sim.close()
    await open()
    expect(await run()).toBe(first)
  })
})

/** How many notices of a receipt and two fills arrive under a fault that strikes once. */
async function noticesUnder(fault: Fault): Promise<number> {
  const socket = await client.socket()
  await socket.notices()
  strikeOnce(fault)
  await client.order({ count: 10, price: 69_900 })
  sim.setPrice(CODE, 69_900, { count: 4, aggressor: 'sell' })
  sim.setPrice(CODE, 69_900, { count: 6, aggressor: 'sell' })
  await sim.clock.advance(10_000)
  // The acknowledgement of another registration is the last thing to come.
  socket.ask('H0STCNT0', '000660')
  let frames = 0
  while (!(await socket.take()).startsWith('{')) frames++
  return frames
}

describe('a notice', () => {
  test.each<[string, Fault, number]>([
    ['goes out as it should', { kind: 'delayNotice', ms: 0 }, 3],
    ['is lost', { kind: 'dropNotice' }, 2],
    ['comes twice', { kind: 'duplicateNotice' }, 4],
    ['is overtaken, not lost', { kind: 'reorderNotice' }, 3],
    ['comes late', { kind: 'delayNotice', ms: 5_000 }, 3],
  ])('%s', async (_name, fault, count) => {
    expect(await noticesUnder(fault)).toBe(count)
  })

  test('overtaken: the receipt follows the fill', async () => {
    const socket = await client.socket()
    await socket.notices()
    strikeOnce({ kind: 'reorderNotice' })
    await client.order({ count: 10, price: 70_000 })
    expect((await socket.notice())['CNTG_YN']).toBe('2')
    expect((await socket.notice())['CNTG_YN']).toBe('1')
  })

  test('can come before the reply to its order', async () => {
    const socket = await client.socket()
    await socket.notices()
    strikeOnce({ kind: 'noticeFirst', ms: 1_000 })
    let answered = false
    const reply = client.order({ count: 1, price: 70_000 }).then(() => (answered = true))
    await socket.notice()
    expect(await socket.notice()).toMatchObject({ CNTG_YN: '2' })
    expect(answered).toBe(false)
    await sim.clock.advance(1_000)
    await reply
  })
})

describe('the ledger', () => {
  test('an accepted order can be turned down later, which only notices and queries show', async () => {
    const socket = await client.socket()
    await socket.notices()
    strikeOnce({ kind: 'rejectLater' })
    expect(await client.order(ORDER)).toMatchObject({ rt_cd: '0', msg_cd: 'APBK0013' })
    expect(await socket.notice()).toMatchObject({ RFUS_YN: '1', CNTG_YN: '1', ODER_NO: '0000000001' })
    expect((await client.executions()).output1[0]).toMatchObject({ rjct_qty: '10', rmn_qty: '0', tot_ccld_qty: '0' })
  })

  test('an order shows in queries late', async () => {
    strikeOnce({ kind: 'listingLag', ms: 5_000 })
    await client.order(ORDER)
    expect((await client.executions()).output1).toEqual([])
    await sim.clock.advance(5_000)
    expect((await client.executions()).output1).toHaveLength(1)
  })

  test('a fill shows in the balance late, never in another order than it happened', async () => {
    strikeOnce({ kind: 'balanceLag', ms: 5_000 })
    await client.order({ count: 3, price: 70_000 })
    await client.order({ side: 'sell', count: 1, price: 69_000 })
    expect((await client.balance()).output1).toEqual([])
    expect(sim.holdings(ME.accountNumber)).toMatchObject([{ count: 2 }])
    await sim.clock.advance(5_000)
    expect((await client.balance()).output1[0]).toMatchObject({ hldg_qty: '2' })
  })

  test('another program trades on the same account', async () => {
    sim.outsideTrade(ME.accountNumber, { code: CODE, side: 'buy', count: 7, price: 70_000 })
    expect((await client.executions()).output1[0]).toMatchObject({ pdno: CODE, tot_ccld_qty: '7' })
    expect((await client.balance()).output1[0]).toMatchObject({ hldg_qty: '7' })
  })
})

describe('sockets', () => {
  test.each([
    ['cut', 1006],
    ['close', 1000],
  ] as const)('%s', async (what, code) => {
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    strikeOnce({ kind: what })
    const end = once(socket.ws, 'close')
    sim.setPrice(CODE, 70_100)
    expect(await end).toContain(code)
  })

  test('frozen: open, and silent even to a protocol ping', async () => {
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    sim.sockets('freeze')
    let ponged = false
    socket.ws.on('pong', () => (ponged = true))
    socket.ws.ping()
    sim.setPrice(CODE, 70_100)
    await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })
    expect([socket.ws.readyState, socket.received.length, ponged]).toEqual([socket.ws.OPEN, 1, false])
  })
})

test('a restart drops sockets and forgets tokens; orders stay', async () => {
  const socket = await client.socket()
  await socket.notices()
  await client.order(ORDER)
  const end = once(socket.ws, 'close')
  sim.restart()
  expect(await end).toContain(1006)
  expect((await client.balance()).msg_cd).toBe('EGW00121')
  await client.renew()
  expect((await client.executions({ CCLD_DVSN: '02' })).output1).toHaveLength(1)
})

test('tokens can end before their time', async () => {
  sim.expireTokens(ME.appKey)
  expect(await client.balance()).toMatchObject({ status: 500, msg_cd: 'EGW00123' })
  await client.renew()
  expect((await client.balance()).rt_cd).toBe('0')
})
