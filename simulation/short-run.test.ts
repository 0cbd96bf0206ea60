import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultOf } from './run-result.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const SEEDS = 2
/** Another seed begins only where the first took no longer, ms: all of it stays within a minute. */
const ANOTHER_MS = 25_000
/** Other seeds each day in Korea: days since 1970, a thousand seeds apart. */
const FIRST = Math.floor((Date.now() + 9 * 3_600_000) / 86_400_000) * 1_000

/** In a process of its own: the machine takes the place of Node's functions. */
const run = (...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY })

test(`the whole server keeps its promises under the seeds of the day, from ${FIRST} on`, { timeout: 180_000 }, () => {
  const began = performance.now()
  for (let seed = FIRST; seed < FIRST + SEEDS && performance.now() - began < ANOTHER_MS; seed += 1) {
    const ended = run('--first', String(seed), '--seeds', '1', '--until-failure')
    console.log(ended.stdout)
    const again = `npm run simulate -- --whole --seed ${seed}`
    expect(resultOf(ended), `run it again: ${again} ${ended.stderr}`).toEqual({ kind: 'passed' })
  }
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
