import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NOT_RUN } from '../not-run.ts'
import { findChromium } from '../programs/programs.mjs'
import { ROOT } from '../sources.ts'
import type { Judge } from './judge.ts'

const LOGS = join(ROOT, 'test-results/prove')
const LAST_LINES = 40

export interface Outcome {
  readonly end: 'passed' | 'failed' | 'not run'
  readonly seconds: number
  /** What it said last; all of it is in its log. */
  readonly last: readonly string[]
  /** As one types it, with the seed. */
  readonly command: string
}

/** In the project, on its own Node, with the browser that tests have. */
export function surroundings() {
  const chromium = findChromium()
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const browser = chromium === null ? {} : { CHROMIUM_PATH: chromium }
  return { cwd: ROOT, env: { ...process.env, ...browser, PATH, FORCE_COLOR: '0' } }
}

/** As one types it. */
export const commandOf = ({ program, options }: Pick<Judge, 'program' | 'options'>, seed: number): string =>
  `${program} ${options}`.trimEnd().replaceAll('{seed}', String(seed))

/** Runs a judge to its end, or ends it, with all that it started, after so many minutes: then it has failed. */
export async function runJudge(
  { name, program, options }: Pick<Judge, 'name' | 'program' | 'options'>,
  seed: number,
  minutes: number,
  logs = LOGS,
): Promise<Outcome> {
  mkdirSync(logs, { recursive: true })
  const path = join(logs, `${name}.log`)
  const log = openSync(path, 'w')
  const command = commandOf({ program, options }, seed)
  const began = performance.now()
  // A group of its own: what it started ends with it.
  const child = spawn('/bin/sh', ['-c', command], {
    ...surroundings(),
    stdio: ['ignore', log, log],
    detached: true,
  })
  let isLate = false
  const endAll = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of them have gone.
    }
  }
  const limit = setTimeout(() => {
    isLate = true
    endAll()
  }, minutes * 60_000)
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1))
    child.on('exit', (exit) => resolve(exit ?? 1))
  })
  clearTimeout(limit)
  endAll()
  closeSync(log)
  const last = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-LAST_LINES)
  if (isLate) last.push(`ended after ${minutes.toFixed(1)} minutes: it never came to its end`)
  const end = code === 0 && !isLate ? 'passed' : code === NOT_RUN && !isLate ? 'not run' : 'failed'
  return { end, seconds: (performance.now() - began) / 1000, last, command }
}
