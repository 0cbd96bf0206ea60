import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_IMPORTS, MAX_LINES } from './architecture.ts'
import { MAX_SUBJECT } from './commits.mjs'
import { MIN_TEST_RATIOS, NOT_YET_TESTED, sizeOf } from './sizes.ts'
import { readCode, readFiles, ROOT } from './sources.ts'

const MAX_FUNCTION_LINES = 50
const MAX_WORDS = 40

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
/** Where a line ends is no matter of what is said. */
const page = read('CONTRIBUTING.md').replaceAll(/\s+/g, ' ')

interface Limit {
  readonly max: number
}
const lint: {
  rules: Record<string, string | [string, Limit]>
  overrides: { files: string[]; rules: Record<string, string | [string, Limit]> }[]
} = JSON.parse(read('.oxlintrc.json'))
const longer = lint.overrides.filter(({ rules }) => Array.isArray(rules['max-lines-per-function']))

test('the page says the numbers that the rules hold', () => {
  expect(page).toContain(`Files have at most ${MAX_LINES} lines (most have 40–120) and ${MAX_IMPORTS} imports`)
  expect(page).toContain(`Functions have at most ${MAX_FUNCTION_LINES} lines`)
  expect(page).toContain(`in at most ${MAX_SUBJECT} characters`)
  for (const [folder, ratio] of Object.entries(MIN_TEST_RATIOS))
    expect(page).toMatch(new RegExp(`\\b${folder.replace('packages/', '')} ${ratio}\\b`))
  for (const [folder, ratio] of Object.entries(NOT_YET_TESTED))
    expect(page).toContain(`The ${folder.replace('packages/', '')} is on its way from ${ratio}`)
})

test('functions have 50 lines in every package but the named ones, which the page names too', () => {
  const [level, limit] = lint.rules['max-lines-per-function'] ?? []
  expect([level, limit]).toEqual(['error', { max: MAX_FUNCTION_LINES, skipBlankLines: true, skipComments: true }])
  for (const { files } of longer) for (const path of files) expect(page).toContain(`\`${path}\``)
})

test('every exception is a file that is there, and named on the page', () => {
  const files = longer.flatMap((exception) => exception.files)
  expect(files.filter((path) => !existsSync(join(ROOT, path)) || !page.includes(`\`${path}\``))).toEqual([])
})

test('most files have 40 to 120 lines', () => {
  const lengths = readCode().map(({ text }) => text.trimEnd().split('\n').length)
  const sorted = lengths.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  expect(at(0.25)).toBeGreaterThanOrEqual(25)
  expect(at(0.75)).toBeLessThanOrEqual(145)
  expect([at(0.5) >= 40, at(0.5) <= 120]).toEqual([true, true])
})

test('a package that has its tests by now is no longer on its way', () => {
  const code = readCode()
  const arrived = Object.keys(NOT_YET_TESTED).filter((folder) => {
    const { source, tests } = sizeOf(folder, code)
    return tests / source >= (MIN_TEST_RATIOS[folder] ?? 0)
  })
  expect(arrived).toEqual([])
})

test('the glossary has at most 40 words, in order, each with its meaning', () => {
  const [glossary] = readFiles('docs/glossary.md')
  const rows = [...(glossary?.text ?? '').matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1)
  const words = rows.map((row) => row[1] ?? '')
  expect(words.length).toBeGreaterThan(20)
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS)
  expect(words).toEqual(words.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  expect(page).toContain(`at most ${MAX_WORDS}`)
})
