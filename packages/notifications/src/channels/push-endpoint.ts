/**
 * The push services of browsers: Chrome, Samsung and Opera (fcm), Firefox, Safari, and Edge on Windows. Apple asks to allow every
 * host below push.apple.com. Anyone signed in may register an address, so that no other host is ever asked.
 */
const HOSTS: ReadonlySet<string> = new Set(['fcm.googleapis.com'])
const DOMAINS: readonly string[] = ['.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com']

/** Further push services: hosts, with their port unless it is 443. */
export type FurtherHosts = readonly string[]

/** Whether a browser could have got this address from a push service. */
export function isPushEndpoint(text: string, also: FurtherHosts = []): boolean {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username + url.password !== '') return false
  if (also.includes(url.host)) return true
  return url.port === '' && (HOSTS.has(url.hostname) || DOMAINS.some((domain) => url.hostname.endsWith(domain)))
}
