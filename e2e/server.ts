import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../packages/server/test/freePort.ts'

const ROOT = new URL('..', import.meta.url).pathname

export interface RealServer {
  url: string
  /** Where the pretend market takes orders from tests: `/sim/…`. */
  market: string
  stop: () => Promise<void>
}

/** The whole product as people start it: real server, embedded database, pretend KIS, demo people, on free ports. */
export async function startServer(): Promise<RealServer> {
  const simPort = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'digger-e2e-'))
  // Beside the pictures of what failed: what the server had to say.
  const results = join(ROOT, 'test-results')
  await mkdir(results, { recursive: true })
  const said = join(results, `server-${simPort}.log`)
  const log = await open(said, 'w')
  const server = spawn(join(ROOT, 'node_modules/.bin/node'), ['packages/server/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', SIM_PORT: String(simPort), DATA_DIR: folder, KIS_ENV: 'sim', LOG_LEVEL: 'info' },
    stdio: ['ignore', log.fd, 'inherit'],
  })
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await log.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { url: await addressIn(said, server), market: `http://127.0.0.1:${simPort}/sim`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address is the last thing the server says before it answers. */
async function addressIn(file: string, server: ChildProcess): Promise<string> {
  for (;;) {
    const said = await readFile(file, 'utf8')
    const url = /(http:\/\/[\d.:]+) 에서 열립니다/.exec(said)?.[1]
    if (url) return url
    if (server.exitCode !== null) throw new Error(`the server ended before it answered:\n${said}`)
    await setTimeout(200)
  }
}
