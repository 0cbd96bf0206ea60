import { expect, test } from 'vitest'
import { inspect, type KeyReply, type RawReply, UNLIMITED } from '../src/index.ts'
import { bad, clientOf, CREDENTIALS, ok, startBroker } from './broker.ts'

const QUOTE = ok({ output: { stck_prpr: '70500' } }, 'MCA00000')
const RECEIPT = ok({ output: { ODNO: '1', KRX_FWDG_ORD_ORGNO: '06010', ORD_TMD: '100000' } }, 'APBK0013')
const ORDER = {
  code: '005930',
  side: 'buy',
  type: 'limit',
  session: 'regular',
  price: 70_000,
  count: 1,
  venue: 'KRX',
} as const

async function inspecting(work: (rest: ReturnType<typeof clientOf>['rest']) => Promise<unknown>) {
  await using broker = await startBroker((seen, nth) => {
    if (seen.path.startsWith('/oauth2/')) return undefined
    return nth === 1 && seen.path.endsWith('inquire-price')
      ? { status: 500, body: bad('EGW00201', '초당') }
      : { cont: 'D', body: QUOTE }
  })
  const { rest } = clientOf(broker.url)
  const replies: RawReply[] = []
  const replyReceived = (reply: RawReply): void => void replies.push(reply)
  const result = await inspect({ replyReceived }, () => work(rest)).catch((error: unknown) => error)
  await rest.close()
  return { replies, result, seen: broker.seen }
}

test('every reply to a question is shown as it came, refusals that were tried again with it', async () => {
  const { replies } = await inspecting((rest) => rest.quote('005930'))
  expect(replies.map(({ status, text }) => [status, JSON.parse(text)])).toEqual([
    [500, bad('EGW00201', '초당')],
    [200, QUOTE],
  ])
  expect(replies[1]).toMatchObject({
    trId: 'FHKST01010100',
    path: '/uapi/domestic-stock/v1/quotations/inquire-price',
    params: { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: '005930' },
    cont: '',
  })
})

test('header names keep their spelling, and no secret of the request is shown', async () => {
  const { replies } = await inspecting((rest) => rest.quote('005930'))
  expect(replies[1]?.headers).toContainEqual(['Content-Type', 'application/json'])
  expect(replies[1]?.headers).toContainEqual(['tr_cont', 'D'])
  const shown = JSON.stringify(replies)
  for (const secret of [CREDENTIALS.appKey, CREDENTIALS.appSecret, 'token1']) expect(shown).not.toContain(secret)
})

test('what others ask of the same client meanwhile is not shown', async () => {
  await using broker = await startBroker((seen) => (seen.path.startsWith('/oauth2/') ? undefined : { body: QUOTE }))
  const { rest } = clientOf(broker.url)
  const replies: RawReply[] = []
  const other = rest.quote('000660')
  await inspect({ replyReceived: (reply) => void replies.push(reply) }, () => rest.quote('005930'))
  await other
  await rest.close()
  expect(replies.map(({ params }) => params['FID_INPUT_ISCD'])).toEqual(['005930'])
})

test.each(['order', 'cancel'] as const)('from inside an inspection no %s leaves', async (what) => {
  const { result, seen } = await inspecting((rest) =>
    what === 'order' ? rest.order(ORDER) : rest.cancel({ ...ORDER, odno: '1', orgno: '06010' }),
  )
  expect(result).toMatchObject({
    name: 'NotSentError',
    outcome: 'notSent',
    message: '점검은 읽기만 합니다. 주문은 보내지 않았습니다.',
  })
  expect(seen).toEqual([])
})

test('what follows from the time of a reply is no part of an inspection, nor of its connection', async () => {
  await using broker = await startBroker((seen) =>
    seen.path.startsWith('/oauth2/') ? undefined : { body: seen.method === 'POST' ? RECEIPT : QUOTE },
  )
  let due = false
  const orders: Promise<unknown>[] = []
  const { rest } = clientOf(broker.url, {
    limits: { ...UNLIMITED, queryConnections: 1 },
    onTime: () => {
      if (due) orders.push(rest.order(ORDER).catch((error: unknown) => error))
      due = false
    },
  })
  await rest.order(ORDER)
  due = true
  // Opens the connection of all questions.
  await inspect({ replyReceived: () => undefined }, () => rest.quote('005930'))
  due = true
  await rest.quote('005930')
  expect(await Promise.all(orders)).toMatchObject([{ orgno: '06010' }, { orgno: '06010' }])
  await rest.close()
})

test('afterwards the same client orders again', async () => {
  await using broker = await startBroker((seen) =>
    seen.path.startsWith('/oauth2/')
      ? undefined
      : {
          body: seen.method === 'POST' ? RECEIPT : QUOTE,
        },
  )
  const { rest } = clientOf(broker.url)
  await inspect({ replyReceived: () => undefined }, () => rest.quote('005930'))
  expect((await rest.order(ORDER)).orgno).toBe('06010')
  await rest.close()
})

test('of a reply that brings a token everything is shown but what could open something', async () => {
  await using broker = await startBroker((seen) => (seen.path.startsWith('/oauth2/') ? undefined : { body: QUOTE }))
  const { rest } = clientOf(broker.url)
  const shown: KeyReply[] = []
  const inspector = { replyReceived: () => undefined, keyReceived: (reply: KeyReply) => void shown.push(reply) }
  await inspect(inspector, () => rest.quote('005930'))
  await rest.close()
  const body = { access_token: '***', token_type: 'Bearer', expires_in: 86_400 }
  expect(shown).toEqual([{ path: '/oauth2/tokenP', status: 200, body: expect.objectContaining(body) }])
  expect(broker.tokens.filter((token) => JSON.stringify(shown).includes(token))).toEqual([])
})
