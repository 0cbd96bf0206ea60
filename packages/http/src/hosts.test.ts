import { describe, expect, test } from 'vitest'
import { Hosts } from './hosts.ts'

const hosts = new Hosts('Digger.Local', ['https://digger.example.com:8443'])

describe('a name is allowed', () => {
  test.each([
    'digger.local',
    'DIGGER.LOCAL:8081',
    'digger.example.com',
    'digger.example.com:8443',
    'localhost',
    'app.localhost:5173',
    '127.0.0.1:8081',
    '192.168.0.7',
    '[::1]:8081',
    '[2001:db8::1]',
  ])('%s', (header) => {
    expect(hosts.allows(header)).toBe(true)
    // The second time from memory.
    expect(hosts.allows(header)).toBe(true)
  })

  test('without a header: that is no browser', () => expect(hosts.allows(undefined)).toBe(true))
})

test.each([
  '',
  ' ',
  'evil.example',
  'evil.example:8443',
  'digger.example.com.evil.example',
  'xdigger.example.com',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  'digger.example.com/evil',
  'digger.example.com:port',
  '[::1',
  '::1',
])('"%s" is refused, also asked twice', (header) => {
  expect([hosts.allows(header), hosts.allows(header)]).toEqual([false, false])
})

test('more addresses than are remembered are judged alike', () => {
  const all = Array.from({ length: 3_000 }, (_, n) => `10.0.${Math.floor(n / 250)}.${n % 250}`)
  expect(all.every((header) => hosts.allows(header))).toBe(true)
  expect(hosts.allows('evil.example')).toBe(false)
})
