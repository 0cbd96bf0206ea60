import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Six simulated minutes: servers start, people save their settings, things go wrong, people press. */
const SHORT = ['--calm-at', '200000', '--end-at', '300000']

/** What a process says of each run: its seed, its steps and the hash of its story. */
function runsOf(...args: string[]): string[] {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args, ...SHORT], {
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/^seed (\d+): .* (\d+) steps, .*, (\w{12})\)$/gm)].map((found) => found.slice(1).join(' '))
}

test('a seed replays to the same step, first in a process, again, and after other seeds', { timeout: 120_000 }, () => {
  const [alone] = runsOf('--seed', '5')
  const after = runsOf('--first', '4', '--seeds', '2', '--twice')
  expect(alone).toMatch(/^5 \d{4,} \w{12}$/)
  expect(after.at(-1)).toBe(alone)
  expect(after).toHaveLength(2)
})
