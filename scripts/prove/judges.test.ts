import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../sources.ts'
import type { Judge } from './judge.ts'
import { JUDGES } from './judges.ts'

const words = ({ program, options }: Judge): string[] => `${program} ${options}`.split(' ')
const isFile = (word: string): boolean => /^[\w-]+\/.*\.(?:ts|mjs)$/.test(word)

describe.each(JUDGES)('the judge $name', (judge) => {
  test('starts a program and covers folders that are there', () => {
    expect(words(judge).filter((word) => isFile(word) && !existsSync(join(ROOT, word)))).toEqual([])
    expect(judge.covers.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(judge.covers).not.toEqual([])
  })
})

test('each has a name of its own, and an entry of the memory is of one of them', () => {
  const names = JUDGES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const memory: Record<string, unknown> = JSON.parse(readFileSync(join(import.meta.dirname, 'memory.json'), 'utf8'))
  expect(Object.keys(memory).filter((name) => !names.includes(name))).toEqual([])
})

test('every file of tests that is to be proved is run by one of them', () => {
  const files = globSync('{packages,apps,trials,simulation,scripts}/**/*.prove.ts', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  })
  const runs = JUDGES.filter(({ program }) => program.includes('vitest.prove.config.ts')).map((judge) =>
    words(judge).filter((word) => /^(?:packages|apps|trials|simulation|scripts)\b/.test(word)),
  )
  const times = (file: string) => runs.filter((places) => places.some((place) => file.startsWith(place))).length
  expect(files.filter((file) => times(file) !== 1)).toEqual([])
})
