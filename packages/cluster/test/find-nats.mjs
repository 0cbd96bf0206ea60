import { existsSync } from 'node:fs'

/**
 * Where nats-server is on this machine; null when there is none. Plain JavaScript: also asked before anything is installed.
 * @returns {string | null}
 */
export function findNats() {
  // Debian keeps it where only an administrator's path leads.
  const places = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server']
  return process.env['NATS_SERVER'] ?? places.find((path) => existsSync(path)) ?? null
}
