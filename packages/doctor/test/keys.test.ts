import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sim } from '@digger/kis-sim'
import { examine, examineSocket, examineToken, type Finding } from '../src/index.ts'
import { type Proxy, proxyOf } from './altered/proxy.ts'
import { brokerOf, type Client, clientOf, CODE, examinerOf } from './fixture.ts'

let sim: Sim
let proxy: Proxy
beforeEach(async () => {
  sim = await brokerOf()
  proxy = await proxyOf(sim.url)
})
afterEach(async () => {
  await proxy[Symbol.asyncDispose]()
  await sim.close()
})

type Body = Record<string, unknown>
const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null

/** Values of all replies that brought a key. */
let secrets: string[] = []

/** Every reply that brings a key from this path becomes another one. */
function alter(path: string, change: (body: Body) => Body): void {
  secrets = []
  proxy.changeKeys = (asked, body) => {
    if (!isBody(body)) return undefined
    for (const name of ['access_token', 'approval_key']) if (typeof body[name] === 'string') secrets.push(body[name])
    return asked === path ? change(body) : undefined
  }
}

const without = (name: string) => (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([one]) => one !== name))

/** The findings that name the field; nothing of a key is in any. */
function naming(findings: readonly Finding[], field: string): string[] {
  const text = JSON.stringify(findings)
  expect(secrets.length).toBeGreaterThan(0)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  return findings.filter(({ fields = [] }) => fields.includes(field)).map(({ level }) => level)
}

const client = (): Client => clientOf(sim, proxy.url)

async function examined(): Promise<Finding[]> {
  const { rest, close } = client()
  const { checks } = await examine(examinerOf(sim, rest))
  await close()
  return checks.flatMap(({ findings }) => findings)
}

const AT = '2026-11-13 09:30:00'

describe('a token that is had for the questions', () => {
  test('as believed nothing is said', async () => {
    alter('/oauth2/tokenP', (body) => body)
    const findings = await examined()
    expect(['access_token', 'token_type', 'expires_in'].flatMap((field) => naming(findings, field))).toEqual([])
  })

  test.each<[string, (body: Body) => Body, string, 'note' | 'wrong']>([
    ['its seconds as a text', (body) => ({ ...body, expires_in: '86400' }), 'expires_in', 'note'],
    ['its seconds in ms', (body) => ({ ...body, expires_in: 86_400_000 }), 'expires_in', 'note'],
    ['no seconds', without('expires_in'), 'expires_in', 'note'],
    [
      'its end as another clock writes it',
      (body) => ({ ...body, access_token_token_expired: '20261114093000' }),
      'access_token_token_expired',
      'note',
    ],
    ['no end', without('access_token_token_expired'), 'access_token_token_expired', 'note'],
    [
      'two ends that do not agree',
      (body) => ({ ...body, access_token_token_expired: AT }),
      'access_token_token_expired',
      'note',
    ],
    ['another type', (body) => ({ ...body, token_type: 'DPoP' }), 'token_type', 'note'],
    ['something new', (body) => ({ ...body, refresh_token: body['access_token'] }), 'refresh_token', 'note'],
    [
      'another name of the token',
      ({ access_token: token, ...body }) => ({ ...body, accessToken: token }),
      'access_token',
      'wrong',
    ],
  ])('with %s', async (_name, change, field, level) => {
    alter('/oauth2/tokenP', change)
    expect(naming(await examined(), field)).toEqual([level])
  })
})

test('what another token is issued for is looked at, too', async () => {
  const older = client()
  await older.rest.quote(CODE)
  await sim.clock.advance(7 * 3_600_000)
  alter('/oauth2/tokenP', without('expires_in'))
  const newer = client()
  const findings = await examineToken(examinerOf(sim, older.rest), examinerOf(sim, newer.rest), async () => false)
  await Promise.all([older.close(), newer.close()])
  expect(findings.map(({ level }) => level)).toEqual(['ok', 'note'])
  expect(naming(findings, 'expires_in')).toEqual(['note'])
})

test.each<[string, (body: Body) => Body, string, string[]]>([
  ['as believed', (body) => body, 'approval_key', []],
  ['with more', (body) => ({ ...body, lives: 5 }), 'lives', ['note']],
  ['under another name', ({ approval_key: key }) => ({ approvalKey: key }), 'approval_key', ['wrong']],
  ['as no text', (body) => ({ ...body, approval_key: [body['approval_key']] }), 'approval_key', ['wrong']],
])('the approval key, %s', async (_name, change, field, levels) => {
  alter('/oauth2/Approval', change)
  const { socket, close } = client()
  const findings = await examineSocket(socket, {
    code: CODE,
    markets: [],
    listenMs: 1,
    connectMs: 3_000,
    now: () => sim.clock.now(),
    pause: (ms) => sleep(ms, undefined, { ref: false }),
    isTraded: false,
  })
  await close()
  expect(naming(findings, field)).toEqual(levels)
})
