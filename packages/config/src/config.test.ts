import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { warningsOf } from './exposure.ts'

test('without any variable the server is a simulation on this machine', () => {
  expect(readConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8081,
    DATA_DIR: './data',
    KIS_ENV: 'sim',
    SIM_PORT: 18_443,
    SIM_HOURS: 'always',
    LOG_LEVEL: 'info',
    ALLOWED_ORIGINS: [],
    PUBLIC_URL: [],
    TLS_PROXY: 'no',
  })
})

test('an empty variable is one not given', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 8081 })
})

const PAPER = { KIS_ENV: 'paper' }
const REAL = { KIS_ENV: 'real', DATABASE_URL: 'postgres://digger@127.0.0.1/digger' }

describe('a bad value is one line that names the variable, the value and what is allowed', () => {
  test.each([
    ['PORT', 'abc', '0–65535'],
    ['PORT', '70000', '0–65535'],
    ['PORT', '80.5', '정수'],
    ['KIS_ENV', 'REAL', 'sim | paper | real'],
    ['DIGGER_ROLE', 'leader', 'all | worker | gateway'],
    ['NATS_CA_FILE', '/nowhere/ca.pem', '파일'],
    ['CLUSTER_SECRET_FILE', '/nowhere/secret', '파일'],
    ['HEALTH_PORT', '0', '1–65535'],
    ['DATABASE_URL', 'mysql://x', 'postgres://'],
    ['KIS_REST_URL', 'example.com', 'https://'],
    ['KIS_WS_URL', 'https://example.com', 'ws://'],
    ['MASTER_KEY_FILE', '/nowhere/master', '파일'],
    ['SIM_SPEED', '0', '0보다 큰'],
    ['SIM_REPLAY', '/nowhere/candles.csv', '파일'],
    ['SIM_SEED', '1.5', '정수'],
    ['SIM_HOURS', 'sometimes', 'always | krx'],
    ['LOG_LEVEL', 'loud', 'fatal | error'],
    ['ALLOWED_ORIGINS', 'localhost:5173', 'http(s)://'],
    ['PUBLIC_URL', 'digger.example.com', 'http(s)://'],
    ['PUBLIC_URL', 'https://digger.example.com/path', 'http(s)://'],
    ['TLS_PROXY', 'true', 'yes | no'],
    ['KIS_CALLS_PER_SECOND', 'three', '2–18'],
    ['KIS_CALLS_PER_SECOND', '0', '2–18'],
    ['KIS_CALLS_PER_SECOND', '1.9', '2–18'],
    ['KIS_CALLS_PER_SECOND', '19', '2–18'],
  ])('%s=%s', (name, value, allowed) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name}=`))
    expect(read).toThrow(allowed)
  })
})

test('how often the broker is called is left to the client, or given; paper takes one call a second', () => {
  expect(readConfig({}).KIS_CALLS_PER_SECOND).toBe(undefined)
  expect(readConfig({ KIS_CALLS_PER_SECOND: '2.5' }).KIS_CALLS_PER_SECOND).toBe(2.5)
  expect(readConfig({ KIS_ENV: 'paper', KIS_CALLS_PER_SECOND: '1' }).KIS_CALLS_PER_SECOND).toBe(1)
  expect(() => readConfig({ KIS_ENV: 'paper', KIS_CALLS_PER_SECOND: '2' })).toThrow(
    /^KIS_CALLS_PER_SECOND=2 .*모의투자는 0.5–1/,
  )
})

test('half of an outside exchange is none', () => {
  for (const half of [{ KIS_REST_URL: 'http://127.0.0.1:9' }, { KIS_WS_URL: 'ws://127.0.0.1:9' }])
    expect(() => readConfig(half)).toThrow(/KIS_REST_URL과 KIS_WS_URL을 함께/)
})

test('real money needs a PostgreSQL server', () => {
  expect(() => readConfig({ KIS_ENV: 'real' })).toThrow(/DATABASE_URL/)
  const config = readConfig({ KIS_ENV: 'real', DATABASE_URL: 'postgres://digger@127.0.0.1/digger' })
  expect(config.KIS_ENV).toBe('real')
})

describe('with people’s keys nothing travels in the clear', () => {
  test.each([
    ['all addresses', { HOST: '0.0.0.0' }, /^HOST=0\.0\.0\.0: .*HTTPS 프록시.*TLS_PROXY=yes/],
    ['all addresses, the newer kind', { HOST: '::' }, /^HOST=::: .*TLS_PROXY=yes/],
    ['an address of a network', { HOST: '192.168.0.7' }, /^HOST=192\.168\.0\.7: /],
    ['a name that only begins like ours', { HOST: '127.0.0.1.example.com' }, /^HOST=/],
    ['a proxy that is not there', { HOST: '0.0.0.0', TLS_PROXY: 'no' }, /TLS_PROXY=yes/],
    ['the log-in page over http', { PUBLIC_URL: 'http://digger.example.com' }, /^PUBLIC_URL=http:.*https/],
    ['app secrets over http', { KIS_REST_URL: 'http://kis.example.com' }, /^KIS_REST_URL=http:.*https/],
    ['a plain socket elsewhere', { KIS_WS_URL: 'ws://kis.example.com:21000' }, /^KIS_WS_URL=ws:.*koreainvestment/],
    ['the broker’s name, another port', { KIS_WS_URL: 'ws://ops.koreainvestment.com:80' }, /^KIS_WS_URL=/],
  ])('%s: refused', (_, env, words) => {
    for (const kind of [PAPER, REAL]) {
      expect(() => readConfig({ ...kind, ...env })).toThrow(ConfigError)
      expect(() => readConfig({ ...kind, ...env })).toThrow(words)
    }
  })

  test.each([
    ['this machine', { HOST: '127.0.0.1' }],
    ['this machine, the newer kind', { HOST: '::1' }],
    ['this machine by name', { HOST: 'localhost' }],
    ['a TLS proxy before it', { HOST: '0.0.0.0', TLS_PROXY: 'yes' }],
    ['https', { PUBLIC_URL: 'https://digger.example.com', KIS_REST_URL: 'https://kis.example.com' }],
    ['a pretend broker here', { KIS_REST_URL: 'http://127.0.0.1:9', KIS_WS_URL: 'ws://localhost:9' }],
    ['the broker’s own socket', { KIS_WS_URL: 'ws://ops.koreainvestment.com:31000' }],
    ['an encrypted socket', { KIS_WS_URL: 'wss://kis.example.com' }],
  ])('%s: taken', (_, env) => {
    for (const kind of [PAPER, REAL]) expect(readConfig({ ...kind, ...env })).toMatchObject({ KIS_ENV: kind.KIS_ENV })
  })

  test('a simulation may be looked at from anywhere, and is warned', () => {
    expect(warningsOf(readConfig({ HOST: '0.0.0.0' }))).toEqual([expect.stringContaining('HOST=0.0.0.0')])
    expect(warningsOf(readConfig({}))).toEqual([])
  })
})

test.each([
  ['postgres://u:hunter2@db.example.com/d', true],
  ['postgres://u:hunter2@10.0.0.5:5432/d?sslmode=require', true],
  ['postgres://u@db/d?sslmode=verify-full&application_name=x', false],
  ['postgres://u@127.0.0.1/d', false],
  ['postgres://u@localhost:5433/d', false],
  ['postgres://u@[::1]/d', false],
  ['postgres:///d?host=/run/postgresql', false],
  ['postgres://u@db/d?host=/run/postgresql', false],
  ['postgres://u@localhost/d?host=db.example.com', true],
])('a database elsewhere without proof of who it is: %s warned %s', (DATABASE_URL, warned) => {
  const lines = warningsOf(readConfig({ KIS_ENV: 'real', DATABASE_URL }))
  expect(lines.map((line) => /^(?!.*hunter2).*sslmode=verify-full/.test(line))).toEqual(warned ? [true] : [])
})

test('real money by a password alone is warned of; pretend and paper are not', () => {
  const SECOND_FACTOR = 'offered'
  expect(warningsOf(readConfig({ ...REAL, SECOND_FACTOR }))).toEqual([
    expect.stringContaining('SECOND_FACTOR=required'),
  ])
  for (const env of [REAL, { ...REAL, SECOND_FACTOR: 'required' }, { ...PAPER, SECOND_FACTOR }, { SECOND_FACTOR }])
    expect(warningsOf(readConfig(env))).toEqual([])
})

test('origins are kept as browsers name them', () => {
  const { PUBLIC_URL } = readConfig({ PUBLIC_URL: 'https://Digger.Example.com:443, http://localhost:8081' })
  expect(PUBLIC_URL).toEqual(['https://digger.example.com', 'http://localhost:8081'])
})

test('the password of a bad database address is not repeated', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
})
