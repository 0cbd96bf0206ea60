import { expect, test } from 'vitest'
import { hostOf, isAddress, isLoopback } from './addresses.ts'

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['digger.localhost', true],
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['128.0.0.1', false],
  ['127.0.0.1.evil.example', false],
  ['notlocalhost', false],
  ['localhost.evil.example', false],
])('%s is of this machine: %s', (host, ours) => expect(isLoopback(host)).toBe(ours))

test.each([
  ['localhost', 'localhost'],
  ['Digger.Example.com:8081', 'digger.example.com'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]:8081', '::1'],
  ['[::1]', '::1'],
  ['', null],
  ['a b', null],
  ['evil.example:80:81', null],
  ['me@evil.example', null],
  ['evil.example/path', null],
  ['::1', null],
  [':80', null],
])('the host of "%s" is %s', (header, host) => expect(hostOf(header)).toBe(host))

test.each([
  ['203.0.113.7', true],
  ['[2001:db8::1]', true],
  ['203.0.113.7.evil.example', false],
  ['0x7f.1', false],
  ['2130706433', false],
])('%s is an address: %s', (host, is) => expect(isAddress(host)).toBe(is))
