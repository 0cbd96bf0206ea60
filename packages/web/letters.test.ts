import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LETTERS, lettersIn } from './letters.ts'

test('the small font has every letter of our own screens; if not, npm run fonts', () => {
  const sources = globSync('src/**/!(*.test).{ts,tsx}', { cwd: import.meta.dirname })
  expect(sources.length).toBeGreaterThan(100)
  const used = lettersIn(sources.map((path) => readFileSync(`${import.meta.dirname}/${path}`, 'utf8')))
  const known = new Set(readFileSync(LETTERS, 'utf8'))
  expect(used.filter((letter) => !known.has(letter))).toEqual([])
})

test('letters are counted once, without line ends, and ASCII is always there', () => {
  const letters = lettersIn(['매도\n매수', '▲'])
  expect(letters.slice(-4)).toEqual(['▲', '도', '매', '수'])
  expect(letters).toHaveLength(95 + 4)
})
