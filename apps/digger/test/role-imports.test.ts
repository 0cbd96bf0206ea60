import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const PACKAGES = join(import.meta.dirname, '../../../packages')
/** What a process loads before it runs anything: `import type` is gone by then, and `import()` is still to be asked for. */
const LOADED = /^(?:import|export)\s+(?!type\b)(?:[^'"()]*?\bfrom\s+)?['"]([^'"]+)['"]/gm
const Manifest = z.object({ exports: z.union([z.string(), z.record(z.string(), z.string())]) })

/** Files of ours that this one loads, and packages of others by name. */
function loadedBy(path: string, found = new Set<string>()): string {
  if (found.has(path)) return ''
  found.add(path)
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(LOADED)) {
    const file = name.startsWith('.') ? join(dirname(path), name) : entryOf(name)
    if (file === null) found.add(name)
    else loadedBy(file, found)
  }
  return [...found].join('\n')
}

/** Null for a package of others. */
function entryOf(name: string): string | null {
  const [, folder, way = ''] = /^@digger\/([^/]+)(\/.+)?$/.exec(name) ?? []
  if (folder === undefined) return null
  const { exports } = Manifest.parse(JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8')))
  const entry = typeof exports === 'string' ? exports : exports[`.${way}`]
  if (entry === undefined) throw new Error(`${name} is no way into its package`)
  return join(PACKAGES, folder, entry)
}

const source = (file: string): string => join(import.meta.dirname, file)

test('one process for everything loads nothing of NATS, and a worker nothing of the pretend exchange', () => {
  const [all, worker] = [loadedBy(source('../src/role-all.ts')), loadedBy(source('../src/role-worker.ts'))]
  expect(all).toContain('kis-sim')
  expect(all).not.toMatch(/@nats-io|nats-bus/)
  expect(worker).toMatch(/@nats-io/)
  expect(worker).not.toContain('kis-sim')
})

test('examining a real account loads nothing of the pretend exchange', () => {
  const examining = loadedBy(source('../src/doctor/doctor.ts'))
  expect(examining).toMatch(/packages\/doctor/)
  expect(examining).not.toContain('kis-sim')
})
