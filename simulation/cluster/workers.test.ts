import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test(
  'three workers under one seed: each account has one who commits and sends, and trades on in calm',
  { timeout: 240_000 },
  () => {
    const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--seed', '1'], {
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/all 1 seeds passed/)
    for (const [, claims, orders] of stdout.matchAll(/passed \(\d+ steps, (\d+) claims, (\d+) orders\)/g))
      expect([Number(claims) > 5, Number(orders) > 100]).toEqual([true, true])
  },
)
