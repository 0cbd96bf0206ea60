import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { warningsOf } from './exposure.ts'

const folder = mkdtempSync(join(tmpdir(), 'digger-role-'))
const secret = join(folder, 'cluster.secret')
writeFileSync(secret, 'A'.repeat(43), { mode: 0o600 })
const open = join(folder, 'open.secret')
writeFileSync(open, 'A'.repeat(43))
chmodSync(open, 0o644)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => void vi.unstubAllEnvs())

const CLUSTER = {
  DATABASE_URL: 'postgres://digger:geheim@db.example.com/digger?sslmode=verify-full',
  NATS_URL: 'nats://digger:geheim@127.0.0.1:4222',
  CLUSTER_SECRET_FILE: secret,
  KIS_REST_URL: 'http://127.0.0.1:9',
  KIS_WS_URL: 'ws://127.0.0.1:9',
}
/** What the role has besides. */
const own = (role: string) => (role === 'worker' ? { WORKER_SECRET_FILE: secret } : {})
const refusal = (env: Record<string, string | undefined>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

test('without a role one process does everything, and needs nothing of a cluster', () => {
  expect(readConfig({}).DIGGER_ROLE).toBe('all')
})

describe.each(['worker', 'gateway'])('a %s', (role) => {
  test('with all it needs is let in, over one NATS server or several', () => {
    const NATS_URL = 'tls://u:p@one:4222,tls://two:4222'
    expect(readConfig({ ...CLUSTER, ...own(role), DIGGER_ROLE: role })).toMatchObject({ DIGGER_ROLE: role })
    expect(readConfig({ ...CLUSTER, ...own(role), DIGGER_ROLE: role, NATS_URL })).toMatchObject({ NATS_URL })
  })

  test.each<[keyof typeof CLUSTER, RegExp]>([
    ['DATABASE_URL', /DATABASE_URL이 필요합니다/],
    ['NATS_URL', /NATS_URL이 필요합니다/],
    ['CLUSTER_SECRET_FILE', /CLUSTER_SECRET_FILE이 필요합니다.*openssl/],
  ])('without %s is refused in a line that says what to do', (name, message) => {
    const given = refusal({ ...CLUSTER, ...own(role), DIGGER_ROLE: role, [name]: undefined })
    expect(given).toMatch(message)
    expect([given.split('\n').length, given.includes(`DIGGER_ROLE=${role}`)]).toEqual([1, true])
  })

  test('cannot have the pretend exchange in its own process', () => {
    const env = { ...CLUSTER, ...own(role), DIGGER_ROLE: role, KIS_REST_URL: undefined, KIS_WS_URL: undefined }
    expect(refusal(env)).toMatch(/모의 거래소를 쓸 수 없습니다.*KIS_REST_URL/)
  })

  test('does not share a secret that others on the machine may read', () => {
    expect(refusal({ ...CLUSTER, ...own(role), DIGGER_ROLE: role, CLUSTER_SECRET_FILE: open })).toMatch(/chmod 600/)
  })

  test('asks nothing of other machines in the clear where it is about a real broker', () => {
    const env = {
      ...CLUSTER,
      ...own(role),
      DIGGER_ROLE: role,
      KIS_ENV: 'real',
      KIS_REST_URL: undefined,
      KIS_WS_URL: undefined,
    }
    const far = refusal({ ...env, NATS_URL: 'nats://u:geheim@nats.example.com:4222' })
    expect(far).toMatch(/tls:\/\//)
    expect(far).not.toContain('geheim')
    expect(refusal({ ...env, NATS_URL: 'tls://u:p@nats.example.com:4222' })).toBe('')
    expect(refusal(env)).toBe('')
    expect(refusal({ ...env, NATS_URL: 'nats://nats.example.com:4222', PRIVATE_NETWORK: 'yes' })).toBe('')
  })

  test.each([
    ['postgres://digger:geheim@db.example.com/digger', false],
    ['postgres://digger:geheim@10.0.0.5/digger?sslmode=prefer', false],
    ['postgres://digger:geheim@localhost/digger?host=db.example.com', false],
    ['postgres://digger:geheim@/digger?host=db.example.com', false],
    ['postgres://digger:geheim@db.example.com/digger?sslmode=require&sslmode=disable', false],
    ['postgres://digger:geheim@db.example.com,localhost/digger', false],
    ['postgres://digger:geheim@localhost,db.example.com/digger', false],
    ['postgres:///digger?host=localhost,db.example.com', false],
    ['postgres:///digger?host=db.example.com&host=localhost', true],
    ['postgres:///digger?host=localhost&host=db.example.com', false],
    ['postgres:///digger?hostaddr=10.0.0.5&host=10.0.0.5', false],
    ['postgres:///digger', true],
    ['postgres:///digger?sslrootcert=/nowhere/ca.pem&sslmode=verify-full', true],
    ['postgres://digger:geheim@db.example.com/digger?sslmode=require', true],
    ['postgres://digger:geheim@127.0.0.1/digger', true],
    ['postgres://digger:geheim@/digger?host=/run/postgresql', true],
    ['postgres://digger:geheim@%2Frun%2Fpostgresql/digger', true],
  ])('with a real broker and the database at %s: begins %s', (DATABASE_URL, begins) => {
    const real = { ...CLUSTER, ...own(role), DIGGER_ROLE: role, KIS_REST_URL: undefined, KIS_WS_URL: undefined }
    for (const KIS_ENV of ['paper', 'real']) {
      const given = refusal({ ...real, KIS_ENV, DATABASE_URL })
      expect(given).toMatch(begins ? /^$/ : /^DATABASE_URL: (?!.*geheim).*sslmode=verify-full.*PRIVATE_NETWORK=yes/)
      expect(refusal({ ...real, KIS_ENV, DATABASE_URL, PRIVATE_NETWORK: 'yes' })).toBe('')
    }
    expect(refusal({ ...CLUSTER, ...own(role), DIGGER_ROLE: role, DATABASE_URL })).toBe('')
  })
})

describe('where the address leaves the host open', () => {
  const DATABASE_URLS = ['postgres:///digger', 'postgres://digger:geheim@/digger', 'postgres:///digger?host=']
  test.each([
    ['db.example.com', false],
    ['localhost,db.example.com', false],
    ['localhost', true],
    ['127.0.0.1', true],
    ['/run/postgresql', true],
    ['', true],
  ])('PGHOST=%s decides, as it does for the connection: begins %s', (host, begins) => {
    vi.stubEnv('PGHOST', host)
    const real = { ...CLUSTER, ...own('worker'), DIGGER_ROLE: 'worker', KIS_ENV: 'real' }
    for (const DATABASE_URL of DATABASE_URLS) {
      const env = { ...real, KIS_REST_URL: undefined, KIS_WS_URL: undefined, DATABASE_URL }
      expect(refusal(env)).toMatch(begins ? /^$/ : /^DATABASE_URL: .*sslmode=verify-full/)
      expect(warningsOf(readConfig({ KIS_ENV: 'real', DATABASE_URL }))).toHaveLength(begins ? 0 : 1)
    }
  })

  test('a host of the address counts more than PGHOST', () => {
    vi.stubEnv('PGHOST', 'db.example.com')
    const DATABASE_URL = 'postgres://digger@127.0.0.1/digger'
    expect(warningsOf(readConfig({ KIS_ENV: 'real', DATABASE_URL }))).toEqual([])
  })
})

test('what is no database is not made one of this machine by words behind its address', () => {
  const KIS_REST_URL = 'http://kis.example.com/?host=localhost'
  expect(refusal({ KIS_ENV: 'paper', KIS_REST_URL })).toMatch(/^KIS_REST_URL=/)
})

test('only workers have the secret that users’ keys are given for', () => {
  expect(refusal({ ...CLUSTER, DIGGER_ROLE: 'worker' })).toMatch(/WORKER_SECRET_FILE이 필요합니다.*openssl.*워커에/)
  expect(refusal({ ...CLUSTER, DIGGER_ROLE: 'worker', WORKER_SECRET_FILE: open })).toMatch(
    /WORKER_SECRET_FILE.*chmod 600/,
  )
  expect(refusal({ ...CLUSTER, DIGGER_ROLE: 'gateway', WORKER_SECRET_FILE: secret })).toMatch(
    /게이트웨이에는 두지 않습니다/,
  )
})

test('a gateway that could send passwords to anybody who poses as a worker is told what to do', () => {
  const WORKER_PUBLIC_KEY = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x
  const env = { ...CLUSTER, DIGGER_ROLE: 'gateway', KIS_ENV: 'real', KIS_REST_URL: undefined, KIS_WS_URL: undefined }
  expect(warningsOf(readConfig(env))).toEqual([expect.stringMatching(/WORKER_PUBLIC_KEY.*worker-public-key/)])
  expect(warningsOf(readConfig({ ...env, WORKER_PUBLIC_KEY }))).toEqual([])
  expect(warningsOf(readConfig({ ...env, ...own('worker'), DIGGER_ROLE: 'worker' }))).toEqual([])
  // The secret itself, by mistake.
  const given = refusal({ ...env, WORKER_PUBLIC_KEY: `${'geheim'.repeat(7)}A=` })
  expect(given).toMatch(/^(?!.*geheim)WORKER_PUBLIC_KEY=.*worker-public-key/)
})

test('only a worker has a port for its health alone', () => {
  expect(readConfig({ ...CLUSTER, ...own('worker'), DIGGER_ROLE: 'worker', HEALTH_PORT: '9101' }).HEALTH_PORT).toBe(
    9_101,
  )
  expect(refusal({ HEALTH_PORT: '9101' })).toMatch(/worker에서만/)
})

test('the password of NATS is never shown', () => {
  const given = refusal({ NATS_URL: 'http://digger:geheim@nats' })
  expect([given.includes('geheim'), given.startsWith('NATS_URL=(숨김)')]).toEqual([false, true])
})
