import { isIPv6 } from 'node:net'

/** Groups of 16 bits. A provider gives each customer at least a /64, some as much as a /48. */
const HOST_GROUPS = 4
const SITE_GROUPS = 3

/** The party an address stands for: itself with IPv4, its /64 with IPv6. */
export const networkOf = (address: string): string => prefixOf(address, HOST_GROUPS)

/** Its /48 with IPv6, the most one customer gets: two sites are two different people. */
export const siteOf = (address: string): string => prefixOf(address, SITE_GROUPS)

function prefixOf(address: string, groups: number): string {
  const plain = address.split('%', 1)[0] ?? ''
  if (!isIPv6(plain)) return address
  const all = groupsOf(plain)
  const isMapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (isMapped) return all.slice(6).flatMap(bytesOf).join('.')
  return `${all.slice(0, groups).join(':')}::/${groups * 16}`
}

/** All eight groups of an address, in the one spelling of RFC 5952. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const [before, after] = [head === '' ? [] : head, tail ?? []]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
}

const bytesOf = (group: string): number[] => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]
