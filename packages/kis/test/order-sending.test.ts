import { Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { NotSentError, UNLIMITED } from '../src/index.ts'
import type { NewOrder } from '../src/index.ts'
import { clientOf, ok, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'

const BUY: NewOrder = {
  code: '005930',
  side: 'buy',
  type: 'limit',
  session: 'regular',
  price: 70_000,
  count: 10,
  venue: 'KRX',
}
const RECEIPT = { KRX_FWDG_ORD_ORGNO: '06010', ODNO: '0000012345', ORD_TMD: '093355' }
const ACCEPTED: Reply = { body: ok({ output: RECEIPT }, 'APBK0013') }
const CASH = '/uapi/domestic-stock/v1/trading/order-cash'

const broken = (): never => {
  throw new Error('bug')
}

describe('the guard of an order', () => {
  test('a reason keeps the order here: not one byte of it leaves', async () => {
    await using broker = await startBroker((seen) => (seen.path === CASH ? ACCEPTED : undefined))
    const { rest } = clientOf(broker.url)
    await rest.order(BUY)
    const before = broker.bytes()
    await expect(rest.order(BUY, { refuse: () => '서버가 정지되었습니다.' })).rejects.toMatchObject({
      name: 'NotSentError',
      message: '서버가 정지되었습니다.',
    })
    expect(broker.bytes()).toBe(before)
    // The connection it was held back on is not needed afterwards.
    await rest.order(BUY)
    expect(broker.seen).toHaveLength(2)
    await rest.close()
  })

  test('it is asked after the wait for a slot and a connection, not before', async () => {
    await using broker = await startBroker((seen) => (seen.path === CASH ? ACCEPTED : undefined))
    const { rest } = clientOf(broker.url, { limits: { ...UNLIMITED, orderSpacingMs: 300 } })
    await rest.order(BUY)
    let stopped = false
    const asked: boolean[] = []
    const second = rest.order(BUY, {
      refuse: () => {
        asked.push(stopped)
        return stopped ? '정지' : null
      },
    })
    expect(asked).toEqual([])
    stopped = true
    await expect(second).rejects.toThrow('정지')
    expect(asked).toEqual([true])
    await rest.close()
  })

  test('nothing runs between its answer and the write, not even a microtask', async () => {
    await using broker = await startBroker((seen) => (seen.path === CASH ? ACCEPTED : undefined))
    const { rest } = clientOf(broker.url)
    await rest.order(BUY)
    const write = vi.spyOn(Socket.prototype, 'write')
    const writes: number[] = []
    await rest.order(BUY, {
      refuse: () => {
        writes.push(write.mock.calls.length)
        queueMicrotask(() => writes.push(write.mock.calls.length))
        return null
      },
    })
    const between = write.mock.calls.slice(writes[0], writes[1]).map(([chunk]) => String(chunk))
    write.mockRestore()
    expect(between.join('')).toContain(`POST ${CASH} HTTP/1.1`)
    expect(between.join('')).toContain('"PDNO":"005930"')
    await rest.close()
  })

  test('when it throws, the order stays here', async () => {
    await using broker = await startBroker((seen) => (seen.path === CASH ? ACCEPTED : undefined))
    const { rest } = clientOf(broker.url)
    await expect(rest.order(BUY, { refuse: broken })).rejects.toThrow(NotSentError)
    expect(broker.seen).toEqual([])
    await rest.close()
  })
})

describe('order of orders', () => {
  test('one at a time, as asked, also when the first is slow', async () => {
    await using broker = await startBroker((seen, nth) => {
      if (seen.path !== CASH) return undefined
      return nth === 1 ? 'hang' : ACCEPTED
    })
    const { rest } = clientOf(broker.url, { timeouts: { totalMs: 1_500 } })
    const results = await Promise.allSettled([1, 2, 3].map((count) => rest.order({ ...BUY, count })))
    expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(broker.seen.map((call) => call.body['ORD_QTY'])).toEqual(['1', '2', '3'])
    await rest.close()
  })

  test('closing: what waits is not sent', async () => {
    await using broker = await startBroker((seen) => (seen.path === CASH ? ACCEPTED : undefined))
    const { rest } = clientOf(broker.url, { limits: { ...UNLIMITED, orderSpacingMs: 60_000 } })
    await rest.order(BUY)
    const waiting = rest.order(BUY).catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    await rest.close()
    expect(await waiting).toBeInstanceOf(NotSentError)
    expect(broker.seen).toHaveLength(1)
  })
})

const cancelWith = async (changes: object) => {
  await using broker = await startBroker((seen) => (seen.trId === 'TTTC0013U' ? ACCEPTED : undefined))
  const { rest } = clientOf(broker.url)
  const original = { odno: '12345', orgno: '06010', type: 'limit', session: 'regular', venue: 'KRX' } as const
  const receipt = await rest.cancel({ ...original, ...changes })
  await rest.close()
  return { receipt, body: broker.seen[0]?.body }
}

describe('cancel', () => {
  test('the whole remainder, as in the documented example', async () => {
    const { receipt, body } = await cancelWith({})
    expect(receipt.odno).toBe('0000012345')
    expect(body).toEqual({
      CANO: '12345678',
      ACNT_PRDT_CD: '01',
      KRX_FWDG_ORD_ORGNO: '06010',
      ORGN_ODNO: '0000012345',
      ORD_DVSN: '00',
      RVSE_CNCL_DVSN_CD: '02',
      ORD_QTY: '0',
      ORD_UNPR: '0',
      QTY_ALL_ORD_YN: 'Y',
      EXCG_ID_DVSN_CD: 'KRX',
    })
  })

  test.each([
    ['of a market order', { type: 'market' }, '00', 'KRX'],
    ['in the after-market', { session: 'after' }, '41', 'KRX'],
    ['of a best order in the after-market', { session: 'after', type: 'best' }, '44', 'KRX'],
    ['where the original rests', { venue: 'NXT' }, '00', 'NXT'],
  ])('%s', async (_name, changes, dvsn, venue) => {
    expect((await cancelWith(changes)).body).toMatchObject({ ORD_DVSN: dvsn, EXCG_ID_DVSN_CD: venue })
  })
})
