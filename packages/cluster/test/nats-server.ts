import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@digger/database/testing'

export interface NatsServer {
  readonly url: string
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
    crash: end,
    async start() {
      server = run()
      await listening(port)
    },
    [Symbol.asyncDispose]: end,
  }
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
