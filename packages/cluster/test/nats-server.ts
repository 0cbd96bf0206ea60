import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@digger/database/testing'

export interface NatsServer {
  readonly url: string
  /** CPU time that it has spent so far, µs, to the next hundredth of a second. */
  cpuSpent(): number
  /** Ends it as when its machine is lost, and starts it again at the same address. */
  crash(): Promise<void>
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startNats(program: string): Promise<NatsServer> {
  const port = await freePort()
  const run = (): ChildProcess => spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  let server = run()
  const end = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  process.once('exit', () => void server.kill('SIGKILL'))
  await listening(port)
  return {
    url: `nats://127.0.0.1:${port}`,
    cpuSpent: () => cpuOf(server.pid ?? 0),
    crash: end,
    async start() {
      server = run()
      await listening(port)
    },
    [Symbol.asyncDispose]: end,
  }
}

/** Linux counts in hundredths of a second: proc(5), fields 14 and 15 of `stat`. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isUp) return
    await delay(25)
  }
  throw new Error('nats-server does not listen')
}
