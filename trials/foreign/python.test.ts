import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPython } from './python.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

describe('the interpreter', () => {
  test('that is not there is said by name', () => {
    expect(findPython(['/nowhere/python3'], [])).toEqual({ lacks: 'no /nowhere/python3' })
  })

  test.skipIf(!hasPython)('that lacks a module is passed over, and what it lacks is named', () => {
    expect(findPython(['python3'], ['json', 'nosuch|json'])).toEqual({ python: 'python3' })
    expect(findPython(['/nowhere/python3', 'python3'], ['json', 'no_such_module'])).toEqual({
      lacks: 'python3 lacks no_such_module',
    })
  })
})

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' })

describe('without the clients', () => {
  test.each([[[]], [['--clients', '/nowhere']]])('%j says how to get them, and exits with 2', (args) => {
    const { status, stderr, stdout } = run(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Soju06/python-kis')
    expect(stderr).toContain('koreainvestment/open-trading-api')
  })

  test('an empty folder: nothing runs, each is named, and it exits with 2', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clients-'))
    try {
      const { status, stdout } = run('--clients', folder)
      expect(status).toBe(2)
      for (const name of ['python-kis', 'mojito', 'pykis', 'Postman']) expect(stdout).toContain(`${name}: no`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
