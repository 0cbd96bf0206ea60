/**
 * Run alone in a network of its own (`unshare -n`): an order is written to a line that is cut, given up, and the line
 * mended. Prints what the broker got and how many connections to it the kernel still keeps.
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Http } from '../src/transport/http.ts'

/** Retransmissions come 0.2, 0.6, 1.4, 3.0 s after the write. */
const LONG_ENOUGH_MS = 3_500
const order = (path: string) => ({ method: 'POST', path, headers: {}, body: '{"PDNO":"005930"}' }) as const

const [how, port] = process.argv.slice(2)
if (port === undefined) await watch(how ?? '')
else await send(how ?? '', port)

async function send(way: string, to: string): Promise<void> {
  const http = new Http(`http://127.0.0.1:${to}`, {
    connectMs: 1_000,
    totalMs: way === 'give up' ? 300 : 60_000,
    closeMs: 300,
  })
  await http.send(order('/quick'), 'order')
  process.send?.('warm')
  await once(process, 'message')
  const given = http.send(order('/lost'), 'order').catch(() => null)
  await pause(100)
  if (way === 'close') await http.close()
  if (way === 'give up') await given
  process.exit()
}

async function watch(way: string): Promise<void> {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    paths.push(request.url)
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const to = address !== null && typeof address === 'object' ? String(address.port) : ''
  const cut = ['INPUT', '-p', 'tcp', '--dport', to, '-j', 'DROP']

  const client = fork(fileURLToPath(import.meta.url), [way, to])
  await once(client, 'message')
  execFileSync('iptables', ['-I', ...cut])
  client.send('go')
  await once(client, 'exit')
  execFileSync('iptables', ['-D', ...cut])
  await pause(LONG_ENOUGH_MS)
  const kept = execFileSync('ss', ['-Htn', 'dport', '=', `:${to}`], { encoding: 'utf8' }).trim()
  process.stdout.write(JSON.stringify({ paths, sockets: kept === '' ? 0 : kept.split('\n').length }))
  process.exit()
}
