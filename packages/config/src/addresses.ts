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

const bare = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
