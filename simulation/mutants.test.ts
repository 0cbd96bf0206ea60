import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { CHECKED } from './checked.ts'
import { CLUSTER_MUTANTS } from './cluster/mutants.ts'
import { MUTANTS } from './mutants.ts'
import { applyEdits, MutatedCopy } from './mutated-copy.ts'
import { resultOf } from './run-result.ts'

const ROOT = resolve(import.meta.dirname, '..')

describe.each([
  ...MUTANTS,
  ...Object.values(CLUSTER_MUTANTS),
  ...CHECKED.map(({ breaks, edits }) => ({ name: breaks, edits })),
])('$name', ({ edits }) => {
  const byFile = [...Map.groupBy(edits, (edit) => edit.file)]

  test.each(byFile)('what it takes out of %s is there, once', (file, ofFile) => {
    const edited = applyEdits(readFileSync(join(ROOT, file), 'utf8'), ofFile)
    expect(edited).not.toHaveProperty('notFoundOnce')
  })

  test.each(byFile)('%s is still a program', (file, ofFile) => {
    const edited = applyEdits(readFileSync(join(ROOT, file), 'utf8'), ofFile)
    expect(() => stripTypeScriptTypes('text' in edited ? edited.text : '(')).not.toThrow()
  })
})

test('each known fault is there once', () => {
  expect(MUTANTS.map(({ name }) => name)).toEqual([
    'S1-1',
    'S1-2',
    'S1-3',
    'S1-5',
    'late-order',
    'lease',
    'age-limit',
    'waiting-time',
  ])
})

test('text that is there twice is no place for an edit, and neither is text that is not there', () => {
  const edit = { file: 'a.ts', from: 'one', to: 'two' }
  expect(applyEdits('one one', [edit])).toEqual({ notFoundOnce: edit })
  expect(applyEdits('three', [edit])).toEqual({ notFoundOnce: edit })
  expect(applyEdits('one $& four', [{ ...edit, to: '$&' }])).toEqual({ text: '$& $& four' })
})

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const run = (copy: MutatedCopy): string =>
  execFileSync(process.execPath, ['simulation/main.ts'], { cwd: copy.folder, encoding: 'utf8' })

describe('a copy', () => {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  /** A repository with two packages of ours, one of which imports the other, and a package of somebody else. */
  function repository(): string {
    const root = mkdtempSync(join(tmpdir(), 'digger-repository-'))
    made.push(root)
    const program =
      "import { pace } from '@digger/kis'\nimport { other } from 'other'\nprocess.stdout.write(`${pace} ${other}`)"
    write(join(root, 'package.json'), '{ "type": "module" }')
    write(join(root, 'simulation/main.ts'), program)
    write(join(root, 'packages/kis/package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
    write(join(root, 'packages/kis/src/index.ts'), "export const pace: string = 'slow'")
    write(join(root, 'node_modules/other/package.json'), '{ "type": "module", "exports": "./index.js" }')
    write(join(root, 'node_modules/other/index.js'), "export const other = 'theirs'")
    mkdirSync(join(root, 'node_modules/@digger'))
    symlinkSync('../../packages/kis', join(root, 'node_modules/@digger/kis'))
    return root
  }

  test('imports what was changed in it, and is as before afterwards', async () => {
    const copy = new MutatedCopy(repository())
    made.push(copy.folder)
    const edits = [{ file: 'packages/kis/src/index.ts', from: 'slow', to: 'fast' }]
    expect([run(copy), await copy.with(edits, () => run(copy)), run(copy)]).toEqual([
      'slow theirs',
      'fast theirs',
      'slow theirs',
    ])
    copy.remove()
    expect(existsSync(copy.folder)).toBe(false)
  })

  test('is as before also when an edit has no place', async () => {
    const copy = new MutatedCopy(repository())
    made.push(copy.folder)
    const file = 'packages/kis/src/index.ts'
    const edits = [
      { file, from: 'slow', to: 'fast' },
      { file: 'package.json', from: 'nowhere', to: '' },
    ]
    await expect(copy.with(edits, () => run(copy))).rejects.toThrow('package.json does not have once: nowhere')
    expect(run(copy)).toBe('slow theirs')
  })
})

describe('the verdict of a run', () => {
  const ended = { status: 1, stdout: '', stderr: '' }

  test.each([
    ['a failure', { ...ended, stdout: 'a story\nFAILED seed 1000007: two orders for one step\n' }, 'failed'],
    ['no failure', { ...ended, status: 0, stdout: 'all 1000 seeds passed\n' }, 'passed'],
    ['a failure in the middle', { ...ended, stdout: 'FAILED seed 7: x\nand on it went\n' }, 'broken'],
    ['a failure with a good end', { ...ended, status: 0, stdout: 'FAILED seed 7: x\n' }, 'broken'],
    ['a program that does not load', { ...ended, stderr: 'file:7\nSyntaxError: Unexpected token\n  at x\n' }, 'broken'],
    ['nothing at all', { ...ended, status: 0 }, 'broken'],
    ['no end', { ...ended, status: null, error: new Error('spawnSync node ETIMEDOUT') }, 'broken'],
  ])('%s', (_name, process, kind) => expect(resultOf(process).kind).toBe(kind))

  test('names seed and message, or what broke it', () => {
    expect(resultOf({ ...ended, stdout: 'FAILED seed 12: a: b\n' })).toMatchObject({ seed: 12, message: 'a: b' })
    expect(resultOf({ ...ended, stderr: 'file:7\nSyntaxError: Unexpected token\n  at x\n' })).toMatchObject({
      message: 'status 1: SyntaxError: Unexpected token',
    })
  })
})
