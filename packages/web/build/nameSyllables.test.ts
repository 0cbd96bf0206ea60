import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FONT_FOLDER } from './fontSubset.ts'
import { charactersOf, commonSyllables, fontFaces } from './nameSyllables.ts'

const PIECES = readFileSync(`${FONT_FOLDER}/pretendardvariable-dynamic-subset.css`, 'utf8')

test('a range is read as its characters', () => {
  expect([...charactersOf('U+AC00-AC02, U+AC10')]).toEqual(['가', '각', '갂', '감'])
})

test('a rule keeps the wanted characters only, and goes when it has none', () => {
  const css = fontFaces(PIECES, new Set(['가', '힝']))
  expect([...css.matchAll(/unicode-range:([^}]+)/g)].map(([, range]) => range)).toEqual(['U+d79d', 'U+ac00'])
  expect(fontFaces(PIECES, new Set())).toBe('')
})

test('each common syllable is in one rule, whose file exists', () => {
  const wanted = commonSyllables()
  expect(wanted.size).toBe(2_350)
  const css = fontFaces(PIECES, wanted)
  const covered = [...css.matchAll(/unicode-range:([^}]+)/g)].flatMap(([, range = '']) => [...charactersOf(range)])
  expect(covered.length).toBe(2_350)
  expect(new Set(covered)).toEqual(wanted)
  const files = [...css.matchAll(/woff2-dynamic-subset\/([^)]+)\)/g)].map(([, file]) => file)
  expect(files.filter((file) => !existsSync(`${FONT_FOLDER}/woff2-dynamic-subset/${file}`))).toEqual([])
})
