import { describe, expect, test } from 'vitest'
import { networkOf, siteOf } from './network.ts'

describe('the party behind an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64', '2001:db8:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['no address', 'no address', 'no address'],
  ])('%s: %s, of the site %s', (address, network, site) => {
    expect([networkOf(address), siteOf(address)]).toEqual([network, site])
  })

  test('is one for all spellings of an address, another for the next network', () => {
    const spellings = ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', '2001:DB8:0::0:1']
    expect(new Set(spellings.map(networkOf)).size).toBe(1)
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'))
  })
})
