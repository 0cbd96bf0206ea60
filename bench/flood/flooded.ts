import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FloodedPlan {
  readonly restUrl: string
  readonly wsUrl: string
  readonly place: { readonly DATA_DIR: string; readonly DATABASE_URL?: string | undefined }
  /** The stocks of each user. */
  readonly users: readonly (readonly string[])[]
  readonly maxBuyPrice: number
  /** False turns the limits of requests off. */
  readonly limited: boolean
}

const start = (file: string, argument: string): ChildProcess =>
  fork(join(import.meta.dirname, file), [argument], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController()
  const ended = once(child, 'exit', { signal: gone.signal }).then(() => Promise.reject(new Error('it ended')))
  const [message]: unknown[] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  gone.abort()
  return message
}

/** The 14th and 15th field are user and system time in hundredths of a second; the second may hold blanks. */
function cpuMs(pid = 0): number {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return Number.NaN
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function leave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.disconnect()
  await once(child, 'exit')
}

/** Starts a server process and counts the bytes of its log. */
export async function startFlooded(plan: FloodedPlan) {
  const child = start('server.ts', JSON.stringify(plan))
  let bytes = 0
  child.stdout?.on('data', (part: Buffer) => (bytes += part.length))
  return {
    base: String(await nextMessage(child)),
    logBytes: () => bytes,
    /** CPU time it has used so far, ms; NaN where there is no /proc. */
    cpuMs: () => cpuMs(child.pid),
    [Symbol.asyncDispose]: () => leave(child),
  }
}

/** Starts a process of strangers, quiet until `start`. */
export async function startStrangers(base: string) {
  const child = start('stranger.ts', base)
  await nextMessage(child)
  return {
    start: () => void child.send('start'),
    /** Returns how often they were answered with which status since the beginning. */
    async stop(): Promise<Readonly<Record<string, number>>> {
      const tally = nextMessage(child)
      child.send('stop')
      return Object.fromEntries(Object.entries((await tally) ?? {}).map(([what, times]) => [what, Number(times)]))
    },
    [Symbol.asyncDispose]: () => leave(child),
  }
}
