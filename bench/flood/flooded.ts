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
  /** False: as before there were limits. */
  readonly limited: boolean
}

const start = (file: string, argument: string): ChildProcess =>
  fork(join(import.meta.dirname, file), [argument], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })

async function word(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController()
  const ended = once(child, 'exit', { signal: gone.signal }).then(() => Promise.reject(new Error('it ended')))
  const [said]: unknown[] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  gone.abort()
  return said
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

/** A server process and the bytes of its log. */
export async function startFlooded(plan: FloodedPlan) {
  const child = start('server.ts', JSON.stringify(plan))
  let bytes = 0
  child.stdout?.on('data', (part: Buffer) => (bytes += part.length))
  return {
    base: String(await word(child)),
    logBytes: () => bytes,
    /** CPU it has used so far, ms; where there is no /proc, not a number. */
    cpuMs: () => cpuMs(child.pid),
    [Symbol.asyncDispose]: () => leave(child),
  }
}

/** A process of strangers, quiet until told. */
export async function startStrangers(base: string) {
  const child = start('stranger.ts', base)
  await word(child)
  return {
    start: () => void child.send('start'),
    /** What they were answered since the beginning, by status. */
    async stop(): Promise<Readonly<Record<string, number>>> {
      const tally = word(child)
      child.send('stop')
      return Object.fromEntries(Object.entries((await tally) ?? {}).map(([what, times]) => [what, Number(times)]))
    },
    [Symbol.asyncDispose]: () => leave(child),
  }
}
