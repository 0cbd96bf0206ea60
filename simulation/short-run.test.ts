import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kindLines } from './kinds.ts'
import { resultOf } from './run-result.ts'

/** Seven simulated minutes: servers start, people save their settings, things go wrong, people press, and all is calm again. */
const SHORT = ['--seed', '5', '--twice', '--calm-at', '300000', '--end-at', '420000']

// In a process of its own: the machine takes the place of Node's functions. More and longer seeds are `npm run prove -- whole`.
test('the whole server keeps its promises under a seed, and does so again to the step', { timeout: 120_000 }, () => {
  const ended = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...SHORT, '--until-failure'], {
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  const last = ended.stdout.split('\n').slice(-60).join('\n')
  expect(resultOf(ended), `${last}\n${ended.stderr}`).toEqual({ kind: 'passed' })
  expect(ended.stdout).toMatch(/^seed 5: passed .* \d{4,} steps, [1-9]\d+ orders, [1-9]\d* fills/m)
})

/** Of the 25 minutes that things go wrong. */
const MAX_FAULT_MS = 20 * 60_000
/** `fault kill weight 3, 1–1 ms, in 63 of 300` */
const KIND = /^(fault|press) (\w+) +weight (\d+)(?:, (\d+)–(\d+) ms)?, in (\d+) of 400$/

test('every entry of the tables of faults and presses can be chosen, and lasts shorter than a run', () => {
  const lines = kindLines(1, 400)
  expect(lines.filter((line) => line.startsWith('fault ')).length).toBeGreaterThan(30)
  expect(lines.filter((line) => !isPossible(line))).toEqual([])
})

function isPossible(line: string): boolean {
  const [, , , weight, shortest = '1', longest = '1', plans] = KIND.exec(line) ?? []
  const lasts = [1, Number(shortest), Number(longest), MAX_FAULT_MS]
  return Number(weight) > 0 && Number(plans) > 0 && lasts.every((ms, place) => ms >= (lasts[place - 1] ?? 0))
}
