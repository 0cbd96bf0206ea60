import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NOT_RUN } from '../../scripts/not-run.ts'
import { findPython } from './python.ts'

describe('the interpreter', () => {
  test('that is not there is said by name', () => {
    expect(findPython(['/nowhere/python3'], [])).toEqual({ lacks: 'no /nowhere/python3' })
  })
})

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' })

describe('without the clients', () => {
  test.each([[[]], [['--clients', '/nowhere']]])('%j says how to get them, and is not run', (args) => {
    const { status, stderr, stdout } = run(...args)
    expect([status, stderr]).toEqual([NOT_RUN, ''])
    expect(stdout).toContain('Soju06/python-kis')
    expect(stdout).toContain('koreainvestment/open-trading-api')
    expect(stdout).toMatch(/\nNOT RUN: no folder of clients.*\n$/)
  })

  test('an empty folder: each is named, and it is not run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clients-'))
    try {
      const { status, stdout } = run('--clients', folder)
      expect(status).toBe(NOT_RUN)
      for (const name of ['python-kis', 'mojito', 'pykis', 'Postman']) expect(stdout).toContain(`${name}: no`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
