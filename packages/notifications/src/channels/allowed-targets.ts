import { BlockList, isIP } from 'node:net'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) addNetwork(list, network)
  return list
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', prefix] = network.split('/')
  const family = familyOf(address)
  if (prefix === undefined) return list.addAddress(address, family)
  list.addSubnet(address, Number(prefix), family)
}

/** IPv4 that is not on the public internet: the special-purpose registry of IANA (RFC 6890), multicast and what is reserved. */
const NOT_PUBLIC_V4 = blockListOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Public by its number, but each machine of Azure reaches its own host there.
  '168.63.129.16',
])

/** Everything that was given out so far: what is outside (loopback, ULA, link-local, multicast, mapped, NAT64) is none of it. */
const GLOBAL_V6 = blockListOf(['2000::/3'])
/** Inside of it: protocol assignments with Teredo, documentation twice, and 6to4, which carries an IPv4 address. */
const NOT_PUBLIC_V6 = blockListOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether anyone on the internet could be asked at this address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC_V4.check(address, 'ipv4')
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false
  return GLOBAL_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6')
}

const HOST = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/

/** What the operator lets programs of users reach though it is not public: names of hosts, addresses, and networks as CIDR. */
export class AllowedTargets {
  readonly #hosts = new Set<string>()
  readonly #networks = new BlockList()

  /** Throws for an entry that is none of the three: a typing error must not close or open what was not meant. */
  constructor(entries: readonly string[] = []) {
    for (const entry of entries) this.#add(entry.trim().toLowerCase())
  }

  #add(entry: string): void {
    const [address = '', prefix, ...more] = entry.split('/')
    const bits = isIP(address) === 4 ? 32 : 128
    if (isIP(address) !== 0 && !address.includes('%') && more.length === 0) {
      if (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
        return addNetwork(this.#networks, entry)
    } else if (prefix === undefined && HOST.test(entry) && !/^[\d.]+$/.test(entry)) {
      this.#hosts.add(entry)
      return
    }
    throw new RangeError(`neither a host nor an address nor a network: ${entry}`)
  }

  /** By its name, or by the address it has now. */
  has(host: string, address: string): boolean {
    if (this.#hosts.has(host.replace(/\.$/, ''))) return true
    return isIP(address) !== 0 && !address.includes('%') && this.#networks.check(address, familyOf(address))
  }
}
