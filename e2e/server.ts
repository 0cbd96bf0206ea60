import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../packages/database/test/free-port.ts'
import { memoryFolder } from '../packages/database/test/postgres.ts'

const ROOT = new URL('..', import.meta.url).pathname
/** Where pictures of what failed go, too; emptied before each run of the tests. */
const RESULTS = join(ROOT, 'test-results')
/** The market's seconds pass so many times faster: how often the broker may be asked, and when its lists show what happened. */
const SPEED = 5
/** Every state of a screen is there after so many days of trading; a demonstration has four weeks. */
const FEW_DAYS = 2

export interface Addresses {
  readonly url: string
  /** Where the pretend market takes orders from tests: `/sim/…`. */
  readonly market: string
  /** Where its clock is moved. */
  readonly clock: string
}

/** Moves a server's clock of people ahead, and resolves once it is. */
export async function later({ clock }: Pick<Addresses, 'clock'>, ms: number): Promise<void> {
  const reply = await fetch(`${clock}/${ms}`, { method: 'POST' })
  if (!reply.ok) throw new Error(`the clock: ${reply.status}`)
}

/** The server of this run: started by the first worker that wants it, while the others wait; it ends with the run. */
export async function sharedServer(): Promise<Addresses> {
  // All workers of a run are children of one process.
  const run = process.ppid
  const [starting, started] = [join(RESULTS, `starting-${run}`), join(RESULTS, `started-${run}.json`)]
  await mkdir(RESULTS, { recursive: true })
  while (!existsSync(started)) {
    const isOurs = (await mkdir(starting, { recursive: true })) !== undefined
    await (isOurs ? startShared(run, starting, started) : setTimeout(200))
  }
  return JSON.parse(await readFile(started, 'utf8'))
}

/** When it fails, the next worker may try. */
async function startShared(run: number, starting: string, started: string): Promise<void> {
  try {
    const { addresses, server } = await start({ days: FEW_DAYS, speed: SPEED, owner: run })
    server.unref()
    const whole = join(starting, 'addresses')
    await writeFile(whole, JSON.stringify(addresses))
    await rename(whole, started)
  } catch (error) {
    await rm(starting, { recursive: true })
    throw error
  }
}

type Stoppable = Addresses & { stop: () => Promise<void> }

/** One like the run's for a single worker, who stops it: its market costs an eighth of a core while nobody looks, too. */
export const ownServer = (): Promise<Stoppable> => startStoppable({ days: FEW_DAYS, speed: SPEED })

/** The whole product with the demonstration that people have, for one who stops it. */
export const startServer = (): Promise<Stoppable> => startStoppable({ days: 20, speed: 1 })

async function startStoppable(size: { days: number; speed: number }): Promise<Stoppable> {
  const { addresses, server } = await start({ ...size, owner: process.pid })
  const stop = async () => {
    if (server.exitCode !== null) return
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  return { ...addresses, stop }
}

interface Started {
  readonly addresses: Addresses
  readonly server: ChildProcess
}

/** Starts the product on free ports. What it prints goes beside the pictures of what failed. */
async function start({ days, speed, owner }: { days: number; speed: number; owner: number }): Promise<Started> {
  const [simPort, clockPort] = [await freePort(), await freePort()]
  const output = join(RESULTS, `server-${simPort}.log`)
  await mkdir(RESULTS, { recursive: true })
  const log = await open(output, 'w')
  const server = spawn(
    join(ROOT, 'node_modules/.bin/node'),
    ['e2e/product.ts', ...[days, owner, clockPort].map(String)],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: '0',
        SIM_PORT: String(simPort),
        SIM_SPEED: String(speed),
        DATA_DIR: await mkdtemp(join(memoryFolder(), 'digger-e2e-')),
        KIS_ENV: 'sim',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', log.fd, log.fd],
    },
  )
  await log.close()
  const url = await addressIn(output, server)
  return {
    addresses: { url, market: `http://127.0.0.1:${simPort}/sim`, clock: `http://127.0.0.1:${clockPort}` },
    server,
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
