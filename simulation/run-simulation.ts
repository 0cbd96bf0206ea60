import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { MutatedCopy } from './mutated-copy.ts'
import { resultOf, type RunResult } from './run-result.ts'

/** A simulation that hangs for this long has found nothing, ms. */
const TIMEOUT_MS = 3 * 3_600_000
/** How often the CPU time of a process is read, ms: nobody tells what it was in the end. */
const LOOK_MS = 250
/** Clock ticks a second in which Linux counts CPU time. */
const TICKS_PER_SECOND = 100

/** The seeds from `first` on, one after the other, until one fails. */
export function runSimulation(
  { folder }: MutatedCopy,
  first: number,
  count: number,
  more: readonly string[] = [],
): Promise<RunResult & { readonly cpuSeconds: number }> {
  const { promise, resolve } = Promise.withResolvers<RunResult & { readonly cpuSeconds: number }>()
  const args = ['simulation/main.ts', '--first', String(first), '--seeds', String(count), '--until-failure', ...more]
  const child = spawn(process.execPath, args, { cwd: folder, timeout: TIMEOUT_MS })
  const out: Buffer[] = []
  const complaints: Buffer[] = []
  let failed: Error | undefined
  let cpuSeconds = 0
  const look = (): void => void (cpuSeconds = secondsOf(child.pid) ?? cpuSeconds)
  const timer = setInterval(look, LOOK_MS)
  child.stdout.on('data', (bytes: Buffer) => void out.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => void complaints.push(bytes))
  child.once('error', (error) => (failed = error))
  child.once('close', (status) => {
    clearInterval(timer)
    const [stdout, stderr] = [out, complaints].map((parts) => Buffer.concat(parts).toString())
    resolve({ ...resultOf({ status, stdout: stdout ?? '', stderr: stderr ?? '', error: failed }), cpuSeconds })
  })
  return promise
}

/** CPU seconds of a process so far; null where it is gone, or elsewhere than on Linux. */
function secondsOf(pid: number | undefined): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return null
  }
}
