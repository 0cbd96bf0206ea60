import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AllowedTargets, isPublicAddress } from '../src/channels/allowed-targets.ts'

describe('whether an address is of the internet', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '2001:200::1',
    '2001:4860:4860::8888',
  ])('%s is', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private, its last', '10.255.255.255'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, its last', '100.127.255.255'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback, another', '127.255.255.254'],
    ['link-local: metadata of clouds', '169.254.169.254'],
    ['private', '172.16.0.1'],
    ['private, its last', '172.31.255.255'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['6to4 relay', '192.88.99.1'],
    ['private', '192.168.1.1'],
    ['benchmarks', '198.18.0.1'],
    ['benchmarks, its last', '198.19.255.255'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['host of a machine of Azure', '168.63.129.16'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, written out', '0:0:0:0:0:0:0:1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped private', '::ffff:a00:1'],
    ['mapped public: goes out as IPv4', '::ffff:8.8.8.8'],
    ['translated', '::ffff:0:8.8.8.8'],
    ['compatible', '::8.8.8.8'],
    ['NAT64', '64:ff9b::8.8.8.8'],
    ['NAT64 of one network', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['Teredo', '2001:0:4136:e378::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['6to4 of a private one', '2002:a00:1::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456::1'],
    ['metadata of Amazon', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['segment routing', '5f00::1'],
    ['not given out', '4000::1'],
    ['no address', 'localhost'],
    ['no address', ''],
    ['no address', '1.2.3'],
  ])('%s: %s is not', (_name, address) => expect(isPublicAddress(address)).toBe(false))

  test('what is mapped, translated or tunnelled into IPv6 is refused for every IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
        const pair = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
        for (const prefix of ['::ffff:', '64:ff9b::', '::']) expect(isPublicAddress(`${prefix}${address}`)).toBe(false)
        expect(isPublicAddress(`2002:${pair}::1`)).toBe(false)
      }),
    )
  })
})

describe('what the operator allows', () => {
  const allowed = new AllowedTargets(['NTFY.home.lan', '192.168.7.0/24', '10.1.2.3', 'fd12::/16', '::1', ' nas '])
  test.each([
    ['ntfy.home.lan', '10.9.9.9', true],
    ['ntfy.home.lan.', '10.9.9.9', true],
    ['x.ntfy.home.lan', '10.9.9.9', false],
    ['nas', '172.16.0.9', true],
    ['other', '192.168.7.255', true],
    ['other', '192.168.8.0', false],
    ['other', '10.1.2.3', true],
    ['other', '10.1.2.4', false],
    ['other', '::ffff:192.168.7.1', true],
    ['other', 'fd12:ffff::1', true],
    ['other', 'fd13::1', false],
    ['other', '::1', true],
    ['other', 'fd12::1%eth0', false],
    ['other', 'nonsense', false],
  ])('%s at %s: %s', (host, address, expected) => expect(allowed.has(host, address)).toBe(expected))

  test('nothing, unless it says so', () => expect(new AllowedTargets().has('localhost', '127.0.0.1')).toBe(false))

  test.each([
    '',
    ' ',
    'http://nas',
    'nas:80',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    '999.0.0.1',
    'fd12::/129',
    'fe80::1%eth0',
    '*.home.lan',
    'a b',
    'nas/8',
  ])('"%s" is refused when it is read', (entry) => expect(() => new AllowedTargets([entry])).toThrow(RangeError))
})
