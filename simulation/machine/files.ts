import { bootMs } from './clock.ts'
import { currentProcess, theSimulation } from './current.ts'

/** What a process of the simulation finds in a file of the system; undefined: the real file is meant. */
export function systemFile(path: unknown): string | undefined {
  const simulation = theSimulation()
  if (simulation === null || typeof path !== 'string' || !path.startsWith('/proc/')) return undefined
  if (path === '/proc/uptime') return `${(bootMs() / 1_000).toFixed(2)} 0.00\n`
  // Each process has a machine of its own: nothing that it knows of another one's processes is worth anything.
  if (path === '/proc/sys/kernel/random/boot_id') return `boot of ${currentProcess()?.name}\n`
  if (path === '/proc/sys/net/ipv4/tcp_retries2') return `${currentProcess()?.tcpTries ?? 15}\n`
  const pid = /^\/proc\/(\d+)\/stat$/.exec(path)?.[1]
  const found = simulation.processes.find((process) => process.alive && String(process.pid) === pid)
  if (found === undefined) throw Object.assign(new Error(`ENOENT: no such file: ${path}`), { code: 'ENOENT' })
  return `${pid} (digger) S ${'0 '.repeat(18)}${Math.floor(found.startedAt)} 0`
}
