import fastify, { type FastifyInstance } from 'fastify'
import cookie from '@fastify/cookie'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clearCookies, deviceToken, sentTokens, sessionTokens, setCookies, setDevice } from './cookies.ts'

let app: FastifyInstance
beforeEach(async () => {
  app = fastify({ trustProxy: true })
  await app.register(cookie, { hook: false })
  app.get('/tokens', (request) => ({
    session: sessionTokens(request),
    sent: sentTokens(request),
    device: deviceToken(request),
  }))
  app.get('/in', (request, reply) => {
    const diggerAdmin = request.headers['x-admin'] === 'yes'
    setCookies(request, reply, 'TOKEN', { userId: 'u1', email: 'a@digger.test', diggerAdmin })
    setDevice(request, reply, 'DEVICE')
    return {}
  })
  app.get('/out', (request, reply) => {
    clearCookies(request, reply)
    return {}
  })
})
afterEach(() => app.close())

const HTTPS = { 'x-forwarded-proto': 'https' }
const tokens = async (sent: string, headers: Record<string, string> = {}) =>
  (await app.inject({ url: '/tokens', headers: { cookie: sent, ...headers } })).json()

describe('tokens are read', () => {
  test('from among other cookies, each once', async () => {
    const sent = 'a=1; digger_session=one;digger_session=two; digger_session=one; xdigger_session=no; digger_session='
    expect(await tokens(sent)).toEqual({ session: ['one', 'two'], sent: ['one', 'two'], device: null })
  })

  test('of the host alone where there is one: a sibling host cannot plant that', async () => {
    const sent = 'digger_session=planted; __Host-digger_session=own'
    expect(await tokens(sent)).toMatchObject({ session: ['own'], sent: ['own'] })
  })

  test('over TLS from the host alone', async () => {
    expect(await tokens('digger_session=planted', HTTPS)).toMatchObject({ session: [] })
    expect(await tokens('__Host-digger_session=own', HTTPS)).toMatchObject({ session: ['own'] })
  })

  test('eight at most', async () => {
    const sent = Array.from({ length: 20 }, (_, n) => `digger_session=${n}`).join('; ')
    expect((await tokens(sent)).session).toHaveLength(8)
  })

  test('of a device only where it is clear which', async () => {
    expect((await tokens('digger_device=mine')).device).toBe('mine')
    expect((await tokens('digger_device=mine; digger_device=planted')).device).toBeNull()
    expect((await tokens('')).device).toBeNull()
  })
})

const cookiesOf = async (url: string, headers: Record<string, string> = {}) =>
  Object.fromEntries((await app.inject({ url, headers })).cookies.map(({ name, ...rest }) => [name, rest]))

/** How many cookies say yes. */
const marks = async (headers: Record<string, string>) =>
  Object.values(await cookiesOf('/in', headers)).filter(({ value }) => value === 'true').length

describe('a log-in sets', () => {
  test('the session out of reach of scripts, and readable hints', async () => {
    const set = await cookiesOf('/in')
    expect(set['digger_session']).toMatchObject({ value: 'TOKEN', httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(set['digger_device']).toMatchObject({ value: 'DEVICE', httpOnly: true })
    const hints = Object.values(set).filter((one) => !('httpOnly' in one))
    expect(hints.map(({ value }) => value)).toEqual(expect.arrayContaining(['a@digger.test', 'u1']))
    expect(Object.values(set).some((one) => 'secure' in one)).toBe(false)
  })

  test.each([HTTPS, { origin: 'https://digger.example.com' }])('over TLS of the host alone: %j', async (headers) => {
    const set = await cookiesOf('/in', headers)
    expect(set['__Host-digger_session']).toMatchObject({ value: 'TOKEN', httpOnly: true, secure: true })
    expect(set['__Host-digger_device']).toMatchObject({ value: 'DEVICE', secure: true })
    expect(set).not.toHaveProperty('digger_session')
  })

  test('the mark of an administrator, and takes it from the next person', async () => {
    expect([await marks({ 'x-admin': 'yes' }), await marks({})]).toEqual([1, 0])
  })
})

test('a log-out clears every cookie but the device', async () => {
  const cleared = await cookiesOf('/out')
  expect(Object.values(cleared).every(({ value }) => value === '')).toBe(true)
  expect(Object.keys(cleared)).toContain('digger_session')
  expect(Object.keys(cleared)).not.toContain('digger_device')
})
