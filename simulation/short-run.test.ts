import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultOf } from './run-result.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const SEEDS = 2
/** Another seed begins only where the first took no more than 25 CPU-seconds: all of it stays within a minute. */
const CPU_HOURS = String(25 / 3_600)
/** Other seeds each day in Korea: days since 1970, a thousand seeds apart. */
const FIRST = Math.floor((Date.now() + 9 * 3_600_000) / 86_400_000) * 1_000

/** In a process of its own: the machine takes the place of Node's functions. */
const run = (...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY })

test(`the whole server keeps its promises under the seeds of the day, from ${FIRST} on`, { timeout: 180_000 }, () => {
  const ended = run('--first', String(FIRST), '--seeds', String(SEEDS), '--cpu-hours', CPU_HOURS, '--until-failure')
  console.log(ended.stdout)
  const result = resultOf(ended)
  const again = result.kind === 'failed' ? `npm run simulate -- --whole --seed ${result.seed}` : ended.stderr
  expect(result, `run it again: ${again}`).toEqual({ kind: 'passed' })
  expect(ended.stdout).toContain(`seed ${FIRST}: passed`)
})

/** Of the 25 minutes that things go wrong. */
const MAX_FAULT_MS = 20 * 60_000
/** `fault kill weight 3, 1–1 ms, in 63 of 300` */
const KIND = /^(fault|press) (\w+) +weight (\d+)(?:, (\d+)–(\d+) ms)?, in (\d+) of 400$/

test('every entry of the tables of faults and presses can be chosen, and lasts shorter than a run', () => {
  const { stdout } = run('--kinds', '--seeds', '400')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.filter((line) => line.startsWith('fault ')).length).toBeGreaterThan(30)
  expect(lines.filter((line) => !isPossible(line))).toEqual([])
})

function isPossible(line: string): boolean {
  const [, , , weight, shortest = '1', longest = '1', plans] = KIND.exec(line) ?? []
  const lasts = [1, Number(shortest), Number(longest), MAX_FAULT_MS]
  return Number(weight) > 0 && Number(plans) > 0 && lasts.every((ms, place) => ms >= (lasts[place - 1] ?? 0))
}
