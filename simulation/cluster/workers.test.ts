import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test(
  'three workers under one seed: no order twice, one owner of each account, and all trade on in calm',
  { timeout: 120_000 },
  () => {
    const command = [join(import.meta.dirname, 'main.ts'), '--workers', '3', '--first', '1', '--seeds', '1']
    const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    expect(stdout).toMatch(/all 1 seeds passed/)
    const [, claims, orders] = /passed \(\w+, \d+ steps, (\d+) claims, (\d+) orders\)/.exec(stdout) ?? []
    expect([Number(claims) >= 3, Number(orders) > 10]).toEqual([true, true])
  },
)
