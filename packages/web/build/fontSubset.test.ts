import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { charactersIn, ourCharacters } from './fontSubset.ts'

const WEB = `${import.meta.dirname}/../`

test('the small font has every letter of our own screens, and of the messages that the server sends to them', () => {
  const sources = globSync('src/**/!(*.test).{ts,tsx}', { cwd: WEB })
  expect(sources.length).toBeGreaterThan(100)
  const used = charactersIn(sources.map((path) => readFileSync(WEB + path, 'utf8')))
  const known = new Set(ourCharacters())
  expect(used.filter((character) => !known.has(character))).toEqual([])
  const messages = [
    '없는 주소입니다. 주소를 확인해 주세요.',
    '감시 프로그램이 멈췄습니다: 멈춘 뒤에 주문이 나갔습니다.',
  ]
  expect(charactersIn(messages).filter((character) => !known.has(character))).toEqual([])
})

test('letters are counted once, without line ends, and ASCII is always there', () => {
  const characters = charactersIn(['매도\n매수', '▲'])
  expect(characters.slice(-4)).toEqual(['▲', '도', '매', '수'])
  expect(characters).toHaveLength(95 + 4)
})
