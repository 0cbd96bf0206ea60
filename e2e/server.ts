import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../packages/database/test/free-port.ts'

const ROOT = new URL('..', import.meta.url).pathname
/** Where pictures of what failed go, too; emptied before each run of the tests. */
const RESULTS = join(ROOT, 'test-results')

export interface RealServer {
  url: string
  /** Where the pretend market takes orders from tests: `/sim/…`. */
  market: string
  /** Moves the server's clock of people ahead, and resolves once it is. */
  later: (ms: number) => Promise<void>
  stop: () => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** The whole product as people start it the second time: real server, embedded database, pretend KIS, demo people. */
export async function startServer(): Promise<RealServer> {
  const folder = await mkdtemp(join(tmpdir(), 'digger-e2e-'))
  await cp(await afterFirstRun(), folder, { recursive: true })
  const server = await startIn(folder)
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...server, stop, [Symbol.asyncDispose]: stop }
}

/**
 * The data folder after a first run, which trades through some weeks: once for all, by the first worker that wants it,
 * while the others wait.
 */
async function afterFirstRun(): Promise<string> {
  const [making, made] = [join(RESULTS, 'first-run'), join(RESULTS, 'demo')]
  await mkdir(RESULTS, { recursive: true })
  while (!existsSync(made)) {
    const isOurs = (await mkdir(making, { recursive: true })) !== undefined
    await (isOurs ? firstRun(making, made) : setTimeout(200))
  }
  return made
}

/** When it fails, the next worker may try. */
async function firstRun(making: string, made: string): Promise<void> {
  const data = join(making, 'data')
  try {
    const { stop } = await startIn(data)
    await stop()
    await rename(data, made)
  } catch (error) {
    await rm(making, { recursive: true })
    throw error
  }
}

/** Starts the product on free ports. What it prints goes beside the pictures of what failed. */
async function startIn(folder: string): Promise<Omit<RealServer, typeof Symbol.asyncDispose>> {
  const simPort = await freePort()
  const output = join(RESULTS, `server-${simPort}.log`)
  const log = await open(output, 'w')
  const server = spawn(
    join(ROOT, 'node_modules/.bin/node'),
    ['--import', './e2e/moved-clock.mjs', 'apps/digger/src/main.ts'],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: '0',
        SIM_PORT: String(simPort),
        DATA_DIR: folder,
        KIS_ENV: 'sim',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', log.fd, 'inherit', 'ipc'],
    },
  )
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await log.close()
  }
  const later = async (ms: number) => {
    const moved = once(server, 'message')
    server.send(ms)
    await moved
  }
  try {
    return { url: await addressIn(output, server), market: `http://127.0.0.1:${simPort}/sim`, later, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address is the last thing the server says before it answers. */
async function addressIn(file: string, server: ChildProcess): Promise<string> {
  for (;;) {
    const output = await readFile(file, 'utf8')
    const url = /(http:\/\/[\d.:]+) 에서 열립니다/.exec(output)?.[1]
    if (url) return url
    if (server.exitCode !== null) throw new Error(`the server ended before it answered:\n${output}`)
    await setTimeout(200)
  }
}
