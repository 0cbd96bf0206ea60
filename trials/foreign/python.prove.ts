import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findPython } from './python.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('an interpreter that lacks a module is passed over, and what it lacks is named', () => {
  expect(findPython(['python3'], ['json', 'nosuch|json'])).toEqual({ python: 'python3' })
  expect(findPython(['/nowhere/python3', 'python3'], ['json', 'no_such_module'])).toEqual({
    lacks: 'python3 lacks no_such_module',
  })
})
