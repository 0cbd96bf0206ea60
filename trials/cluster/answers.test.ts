import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Answers, codeOf, CountedClient } from './answers.ts'

const BUSY = { status: 429, body: '{"code":"BUSY","message":"later"}' }
let next = { status: 200, body: '{}' }
const server = createServer((_, reply) => {
  if (next.status === 0) return void reply.destroy()
  reply.writeHead(next.status, { 'set-cookie': 'digger_session=new; Path=/' }).end(next.body)
})
let base = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => void server.close())

test.each([
  [200, '{"userId":"a","userKey":true}', 'OK'],
  [200, '{"userId":"a","userKey":false}', 'userKey false'],
  [409, '{"code":"NEED_USERKEY","message":"log in"}', 'NEED_USERKEY'],
  [502, 'Bad Gateway', 'HTTP 502'],
  [500, '{"status":"down"}', 'HTTP 500'],
])('an answer %i %s is counted as %s', (status, text, code) => {
  expect(codeOf(status, text)).toBe(code)
})

test('each answer counts by its call, without what it was about', async () => {
  const answers = new Answers()
  const client = new CountedClient(answers, 'digger_session=old')
  client.connectTo(base)
  await client.request('POST', '/api/user/stock/005930', { version: 1 })
  await client.sellAt('000660', 10, 1)
  next = BUSY
  await client.cancel('12')
  expect(client.lastCode).toBe('BUSY')
  next = { status: 0, body: '' }
  await expect(client.cancel('13')).rejects.toThrow('cancel/13')
  expect(answers.counts).toEqual({
    'POST /api/user/balance/cancel/…: BUSY': 1,
    'POST /api/user/balance/cancel/…: no reply': 1,
    'POST /api/user/stock/…: OK': 1,
    'POST /api/user/stock/…/sell/price: OK': 1,
  })
  expect(client.cookie).toBe('digger_session=new')
})

test('a key that is not there, an error and silence are problems; BUSY, and what happened meanwhile, are not', () => {
  const answers = new Answers()
  answers.count('GET', '/api/user/stock', 'OK')
  answers.count('GET', '/api/user/stock', 'BUSY')
  answers.count('POST', '/api/user/balance/cancel/7', 'REJECTED')
  answers.count('POST', '/api/user/stock/005930', 'CONFLICT')
  expect(answers.problems).toEqual([])
  answers.count('POST', '/api/user/balance/cancel/7', 'NEED_USERKEY')
  answers.count('POST', '/api/user/stock/005930', 'INTERNAL')
  answers.count('POST', '/api/login', 'no reply')
  expect(answers.problems).toEqual([
    '1 × POST /api/login: no reply',
    '1 × POST /api/user/balance/cancel/…: NEED_USERKEY',
    '1 × POST /api/user/stock/…: INTERNAL',
  ])
})
