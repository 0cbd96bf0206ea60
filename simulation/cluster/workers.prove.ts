import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { CLUSTER_MUTANTS } from './mutants.ts'

let out = ''

beforeAll(() => {
  const command = [join(import.meta.dirname, 'main.ts'), '--seeds', '0', '--known']
  out = spawnSync(process.execPath, command, { encoding: 'utf8' }).stdout
}, 240_000)

test.each(Object.keys(CLUSTER_MUTANTS))('without %s the broker gets an order twice', (name) => {
  const search = `npm run prove -- cluster --mutant ${name} --fault KIND --workers 2 --seeds 900`
  expect(out, `a change of the product's steps moves the known seed; a new one: ${search}`).toContain(`${name}: found`)
})
