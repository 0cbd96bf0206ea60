import { createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { NotSentError, OutcomeUnknownError, outcomeOf } from '../src/index.ts'
import type { KisRest, NewOrder, Receipt } from '../src/index.ts'
import { NOW, bad, clientOf, ok } from './broker.ts'
import { RawBroker, responseOf } from './raw-broker.ts'
import type { Behaviour } from './raw-broker.ts'

/**
 * Sent, not sent or unknown: whatever the connection does, an order counts as not placed only when no byte of it left or
 * the broker refused it by a listed code, and it never leaves twice.
 */
const BUY: NewOrder = {
  code: '005930',
  side: 'buy',
  type: 'limit',
  session: 'regular',
  price: 70_000,
  count: 1,
  venue: 'KRX',
}
const accepted = (odno: number) =>
  ok({ output: { KRX_FWDG_ORD_ORGNO: '06010', ODNO: String(odno), ORD_TMD: '100000' } }, 'APBK0013')
const ACCEPTED = responseOf(accepted(1))
/** The head and the half of the body. */
const HALF = ACCEPTED.slice(0, -20)
const HEAD = ACCEPTED.slice(0, ACCEPTED.indexOf('\r\n\r\n') + 4)

const TOKENS = {
  load: async () => ({ token: 'token', issuedAt: NOW - 3_600_000, expiresAt: NOW + 80_000_000 }),
  save: async () => undefined,
}
const fateOf = (order: Promise<Receipt>): Promise<string> =>
  order.then(
    (receipt) => `accepted ${Number(receipt.odno)}`,
    (error: unknown) => outcomeOf(error),
  )

async function withBroker<T>(
  behaviour: Behaviour,
  use: (rest: KisRest, broker: RawBroker) => Promise<T>,
  totalMs = 10_000,
) {
  await using broker = await new RawBroker(behaviour).listen()
  const { rest } = clientOf(broker.url, { tokens: TOKENS, timeouts: { totalMs, connectMs: 2_000, closeMs: 300 } })
  try {
    return await use(rest, broker)
  } finally {
    await rest.close()
  }
}

describe('one order, and what the connection does with its reply', () => {
  test.each<[string, Behaviour, string]>([
    ['a whole reply', (socket) => socket.write(ACCEPTED), 'accepted 1'],
    ['byte by byte', (socket) => ACCEPTED.split('').forEach((byte) => socket.write(byte)), 'accepted 1'],
    ['a reply, then the end', (socket) => socket.end(ACCEPTED), 'accepted 1'],
    ['in chunks', (socket) => socket.write(chunked(JSON.stringify(accepted(1)), 7)), 'accepted 1'],
    [
      'after a 100 that was not asked for',
      (socket) =>
        socket.write(`HTTP/1.1 100 Continue

${ACCEPTED}`),
      'unknown',
    ],
    ['an end instead of a reply', (socket) => socket.end(), 'unknown'],
    ['a reset instead of a reply', (socket) => socket.resetAndDestroy(), 'unknown'],
    ['the head, then the end', (socket) => socket.end(HEAD), 'unknown'],
    ['the head, then a reset', (socket) => socket.write(HEAD, () => socket.resetAndDestroy()), 'unknown'],
    ['half a reply, then the end', (socket) => socket.end(HALF), 'unknown'],
    ['half a reply, then a reset', (socket) => socket.write(HALF, () => socket.resetAndDestroy()), 'unknown'],
    [
      'half of the chunks, then the end',
      (socket) => socket.end(chunked(JSON.stringify(accepted(1)), 7).subarray(0, -30)),
      'unknown',
    ],
    ['half of the head, then the end', (socket) => socket.end(ACCEPTED.slice(0, 30)), 'unknown'],
    ['no HTTP at all', (socket) => socket.end('220 smtp ready\r\n'), 'unknown'],
    ['no content', (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), 'unknown'],
    ['an empty body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 'unknown'],
    [
      'a redirect',
      (socket) => socket.write('HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n'),
      'unknown',
    ],
    [
      'a body shorter than it says, then the end',
      (socket) => socket.end(ACCEPTED.replace(/Length: \d+/, 'Length: 9999')),
      'unknown',
    ],
    [
      'a body that is cut by its length',
      (socket) => socket.write(ACCEPTED.replace(/Length: \d+/, 'Length: 20')),
      'unknown',
    ],
    [
      'two lengths',
      (socket) => socket.write(ACCEPTED.replace('Content-Length', 'Content-Length: 5\r\nContent-Length')),
      'unknown',
    ],
    [
      'a body beyond all measure',
      (socket) => socket.write(responseOf({ rt_cd: '0', x: 'x'.repeat(9_000_000) })),
      'unknown',
    ],
    ['a refusal, cut', (socket) => socket.end(responseOf(bad('APBK0400', '수량 초과')).slice(0, -10)), 'unknown'],
    ['a refusal', (socket) => socket.write(responseOf(bad('APBK0400', '수량 초과'))), 'refused'],
  ])('%s', async (_name, behaviour, fate) => {
    await withBroker(behaviour, async (rest, broker) => {
      expect(await fateOf(rest.order(BUY))).toBe(fate)
      expect(broker.requests).toEqual(['POST /uapi/domestic-stock/v1/trading/order-cash HTTP/1.1'])
    })
  })

  test.each<[string, Behaviour]>([
    ['nothing', () => undefined],
    ['a head', (socket) => socket.write(HEAD)],
    ['half a reply', (socket) => socket.write(HALF)],
  ])('%s and then nothing more: unknown when the time is over', async (_name, behaviour) => {
    await withBroker(
      behaviour,
      async (rest, broker) => {
        await expect(rest.order(BUY)).rejects.toThrow(OutcomeUnknownError)
        expect(broker.requests).toHaveLength(1)
      },
      300,
    )
  })
})

/** Two orders one after the other; the second is answered as number 2. */
const twoOrders = (first: Behaviour, totalMs?: number) =>
  withBroker(
    (socket, nth) => (nth === 1 ? first(socket, nth) : socket.write(responseOf(accepted(nth)))),
    async (rest, broker) => ({
      fates: [await fateOf(rest.order(BUY)), await fateOf(rest.order(BUY))],
      requests: broker.requests.length,
    }),
    totalMs,
  )

describe('the next order', () => {
  test('does not take the late reply to the one before', async () => {
    const { fates, requests } = await twoOrders((socket) => {
      // The reply comes when the connection has been given up.
      socket.once('error', () => socket.write(ACCEPTED))
    }, 300)
    expect([fates, requests]).toEqual([['unknown', 'accepted 2'], 2])
  })

  test.each<[string, Behaviour, string]>([
    ['a second reply glued to the first', (socket) => socket.write(ACCEPTED + responseOf(accepted(99))), 'accepted 1'],
    ['rubbish glued to the first', (socket) => socket.write(`${ACCEPTED}rubbish\r\n\r\n`), 'accepted 1'],
    ['half a reply and the end', (socket) => socket.end(HALF), 'unknown'],
    ['a connection that ends after its reply', (socket) => socket.end(ACCEPTED), 'accepted 1'],
  ])('after %s has its own reply', async (_name, behaviour, first) => {
    const { fates, requests } = await twoOrders(behaviour)
    expect([fates, requests]).toEqual([[first, 'accepted 2'], 2])
  })
})

test('an order that meets the reset of its connection: sent once, or certainly not sent', async () => {
  for (let n = 0; n < 10; n += 1) {
    const { fates, requests } = await twoOrders((socket) => socket.write(ACCEPTED, () => socket.resetAndDestroy()))
    expect([
      ['accepted 1', 'accepted 2', 2],
      ['accepted 1', 'notSent', 1],
    ]).toContainEqual([...fates, requests])
  }
})

describe('nothing was written', () => {
  test('no server listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    server.close()
    await once(server, 'close')
    const { rest } = clientOf(`http://127.0.0.1:${port}`, { tokens: TOKENS })
    await expect(rest.order(BUY)).rejects.toThrow(NotSentError)
    await rest.close()
  })

  test('a key that no header can hold', async () => {
    await using broker = await new RawBroker((socket) => socket.write(ACCEPTED)).listen()
    const credentials = { appKey: 'key\r\nx: y', appSecret: 's', accountNumber: '1234567801', htsId: 'h' }
    const { rest } = clientOf(broker.url, { tokens: TOKENS, credentials })
    expect(await fateOf(rest.order(BUY))).toBe('notSent')
    expect(broker.requests).toEqual([])
    await rest.close()
  })

  test('the client was closed before', async () => {
    await withBroker(
      (socket) => socket.write(ACCEPTED),
      async (rest, broker) => {
        await rest.close()
        expect(await fateOf(rest.order(BUY))).toBe('notSent')
        expect(broker.requests).toEqual([])
      },
    )
  })

  test('the client is closed while the order is on the wire: unknown, for it has left', async () => {
    await withBroker(
      () => undefined,
      async (rest, broker) => {
        const fate = fateOf(rest.order(BUY))
        await expect.poll(() => broker.requests.length).toBe(1)
        await rest.close()
        expect(await fate).toBe('unknown')
      },
    )
  })
})

function chunked(body: string, size: number): Buffer {
  const bytes = Buffer.from(body)
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    parts.push(`${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`)
  }
  return Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${parts.join('')}0\r\n\r\n`, 'latin1')
}
