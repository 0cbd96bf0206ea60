import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'
import { unhandledLines } from './unhandled-reporter.ts'

const at = (...paths: string[]) => ['Error: x', ...paths.map((path) => `    at f (${path}:3:7)`)].join('\n')

test.each<[string, object, string]>([
  ['the file that Vitest names', { VITEST_TEST_PATH: join(ROOT, 'packages/a/b.test.ts') }, 'packages/a/b.test.ts'],
  [
    'the first test of the stack',
    { stack: at('/elsewhere/x.js', join(ROOT, 'node_modules/pg/c.js'), join(ROOT, 'a.ts'), join(ROOT, 'b.prove.ts')) },
    'b.prove.ts',
  ],
  ['the first file of ours', { stack: at('node:net', join(ROOT, 'a.ts')).replace('(/', '(file:///') }, 'a.ts'],
  ['what never ended', { stack: at('node:net') }, 'c.test.ts or d.test.ts'],
])('an error that nobody caught is of %s', (_name, parts, place) => {
  const error = { message: 'gone\nand more', ...parts }
  expect(unhandledLines([error], ['c.test.ts', 'd.test.ts'])).toEqual([`UNHANDLED in ${place}: gone`])
})

test('an error outside of all files is of the run itself', () => {
  expect(unhandledLines([{ message: 'x' }], [])).toEqual(['UNHANDLED in no test file (the run itself): x'])
})

test('a run whose tests pass says in its last line which file it failed for, in one process for all, too', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'digger-unhandled-')))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const late = `import { test } from 'vitest'
test('passes', async () => {
  setTimeout(() => { throw new Error('late') })
  await new Promise((resolve) => setTimeout(resolve, 50))
})`
  writeFileSync(join(folder, 'first.test.ts'), late.replace(/^ {2}setTimeout.*\n/m, ''))
  writeFileSync(join(folder, 'late.test.ts'), late)
  const reporter = join(ROOT, 'scripts/unhandled-reporter.ts')
  const written = join(folder, 'unhandled.txt')
  const args = ['run', `--root=${folder}`, '--no-isolate', '--reporter=default', `--reporter=${reporter}`]
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], UNHANDLED_REPORT: written },
  })
  const line = `UNHANDLED in ${relative(ROOT, join(folder, 'late.test.ts'))}: late`
  expect([status, stdout.trimEnd().split('\n').at(-1), readFileSync(written, 'utf8')]).toEqual([1, line, `${line}\n`])
  expect(stdout).toMatch(/2 passed/)
  rmSync(folder, { recursive: true })
})
