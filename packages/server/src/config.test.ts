import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

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
  })
})

test('an empty variable is one not given', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 8081 })
})

describe('a bad value is one line that names the variable, the value and what is allowed', () => {
  test.each([
    ['PORT', 'abc', '0–65535'],
    ['PORT', '70000', '0–65535'],
    ['PORT', '80.5', '정수'],
    ['KIS_ENV', 'REAL', 'sim | paper | real'],
    ['DATABASE_URL', 'mysql://x', 'postgres://'],
    ['KIS_REST_URL', 'example.com', 'https://'],
    ['KIS_WS_URL', 'https://example.com', 'ws://'],
    ['MASTER_KEY_FILE', '/nowhere/master', '파일'],
    ['SIM_SPEED', '0', '0보다 큰'],
    ['SIM_SEED', '1.5', '정수'],
    ['SIM_HOURS', 'sometimes', 'always | krx'],
    ['LOG_LEVEL', 'loud', 'fatal | error'],
    ['ALLOWED_ORIGINS', 'localhost:5173', 'http(s)://'],
  ])('%s=%s', (name, value, allowed) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name}=`))
    expect(read).toThrow(allowed)
  })
})

test('real money needs a PostgreSQL server', () => {
  expect(() => readConfig({ KIS_ENV: 'real' })).toThrow(/DATABASE_URL/)
  const config = readConfig({ KIS_ENV: 'real', DATABASE_URL: 'postgres://digger@127.0.0.1/digger' })
  expect(config.KIS_ENV).toBe('real')
})

test('the password of a bad database address is not repeated', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
})
