import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** What a member process is asked to do; it answers each with a report. */
export type MemberOrder =
  | { readonly kind: 'cpu' | 'idle' | 'turns' }
  /** Of those of the users' accounts that are there: which, and how many frames their sockets have received. */
  | { readonly kind: 'has' | 'frames'; readonly users: readonly string[] }
  /** `first`: the number of the first user at the broker. */
  | { readonly kind: 'unlock'; readonly users: readonly string[]; readonly stocks: number; readonly first: number }

export interface MemberReport {
  /** Of the process so far, all threads, µs. */
  readonly cpu: number
  /** Users whose accounts are there, of those that were asked for. */
  readonly has: readonly string[]
  readonly frames: number
  readonly origin: string
  /** How late its event loop's turns were since it was asked last, 99th percentile, ms; 0 before `turns` was ordered. */
  readonly turnP99: number
}

/** A worker, a gateway or the one process, started by this one and ended with it. */
export class MemberProcess {
  readonly origin: string
  readonly #process: ChildProcess

  private constructor(child: ChildProcess, origin: string) {
    this.#process = child
    this.origin = origin
  }

  static async start(role: 'all' | 'worker' | 'gateway', env: Readonly<Record<string, string>>) {
    const child = fork(new URL('member.ts', import.meta.url), [role], {
      env: { ...process.env, LOG_LEVEL: 'fatal', PORT: '0', DATA_DIR: '/nonexistent', ...env },
    })
    return new MemberProcess(child, (await reportOf(child)).origin)
  }

  /** One order at a time. */
  ask(order: MemberOrder): Promise<MemberReport> {
    this.#process.send(order)
    return reportOf(this.#process)
  }

  cpu = async (): Promise<number> => (await this.ask({ kind: 'cpu' })).cpu

  async end(): Promise<void> {
    this.#process.kill('SIGKILL')
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit')
  }
}

async function reportOf(child: ChildProcess): Promise<MemberReport> {
  const ended = new AbortController()
  const end = (): void => ended.abort(new Error('a process of the bench ended'))
  child.once('exit', end)
  const [report]: MemberReport[] = await once(child, 'message', { signal: ended.signal })
  child.off('exit', end)
  if (report === undefined) throw new Error('no report')
  return report
}

/** CPU of all of them while something is done, µs. */
export async function cpuDuring(members: readonly MemberProcess[], work: () => Promise<void>): Promise<number[]> {
  const before = await Promise.all(members.map((member) => member.cpu()))
  await work()
  const after = await Promise.all(members.map((member) => member.cpu()))
  return after.map((cpu, index) => cpu - (before[index] ?? Number.NaN))
}
