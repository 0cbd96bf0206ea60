import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const RUN = `
const { openDatabase } = await import(${JSON.stringify(new URL('../src/open.ts', import.meta.url).href)})
console.log('loaded')
const database = await openDatabase({ dataDir: process.argv[1] })
await database.close()
console.log('closed')`

test('code of the embedded engine that was compiled again is kept: freeing it can end the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'digger-code-'))
  // Line by line: V8 writes through a buffer of its own, and its lines would come after all others.
  const args = ['-oL', process.execPath, '--trace-wasm-code-gc', '--input-type=module', '-e', RUN, folder]
  const { stdout } = await promisify(execFile)('stdbuf', args)
  await rm(folder, { recursive: true })
  // What reads TypeScript is such code, too, and may be freed while the program loads.
  const lines = stdout.slice(stdout.indexOf('loaded\n')).split('\n')
  expect(lines).toContain('closed')
  expect(lines.filter((line) => line.includes('Triggering GC'))).toEqual([])
  // Ten seconds of one core, which a busy machine does not give at once.
}, 120_000)
