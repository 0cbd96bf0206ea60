import { isIP } from 'node:net'

/** Of this machine: what is sent there does not leave it. A host name or address, brackets or not. */
export function isLoopback(host: string): boolean {
  const name = bare(host)
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name)
  )
}

/** An address as it is, not a name that somebody's DNS server could point anywhere. */
export const isAddress = (host: string): boolean => isIP(bare(host)) !== 0

/** The host of a `Host` header, without its port; null for what is none. */
export function hostOf(header: string): string | null {
  const [, host = null] = /^(\[[\da-fA-F:.]+\]|[^:[\]/@?#\s]+)(?::\d{1,5})?$/.exec(header) ?? []
  return host === null ? null : bare(host)
}

/**
 * Whom an address belongs to as far as one can tell from outside: itself for IPv4; for IPv6 its /64, which every home
 * and rented machine has as a whole.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const before = head.split(':').filter(Boolean)
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const bare = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
