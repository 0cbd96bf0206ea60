import proxyAddr from '@fastify/proxy-addr'
import { isGateway } from '@digger/forward'

/** Whether the address before the last hop is believed: the configured proxies (TRUST_PROXY), and gateways inside this process. */
export function proxiesOf(trusted: string): (address: string, hop: number) => boolean {
  const isConfigured = proxyAddr.compile(trusted.split(',').map((one) => one.trim()))
  return (address, hop) => isGateway(address) || isConfigured(address, hop)
}
