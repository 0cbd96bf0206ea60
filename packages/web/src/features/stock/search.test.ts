import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialsOf, isMeant } from './search.ts'

const samsung = { name: '삼성전자', code: '005930' }
const kodex = { name: 'KODEX 200', code: '069500' }

test.each([
  ['삼성', samsung, true],
  ['전자', samsung, true],
  ['ㅅㅅㅈㅈ', samsung, true],
  ['ㅅㅈ', samsung, true],
  [' ㅅ ㅅ', samsung, true],
  ['ㅎㄷ', samsung, false],
  ['0059', samsung, true],
  ['930', samsung, false],
  ['', samsung, true],
  ['kodex', kodex, true],
  ['ＫＯＤＥＸ２００', kodex, true],
  ['kodex 200', kodex, true],
  ['ㅋㄷ', kodex, false],
] as const)('%j means it: %j %s', (text, stock, meant) => expect(isMeant(stock, text)).toBe(meant))

test('initials are those of the first consonants, the doubled ones too', () => {
  expect(initialsOf('까치 SK하이닉스')).toBe('ㄲㅊ SKㅎㅇㄴㅅ')
})

test('every stock is found by its own name, its own initials and its own code', () => {
  const syllable = fc.integer({ min: 0xac00, max: 0xd7a3 }).map((code) => String.fromCodePoint(code))
  fc.assert(
    fc.property(fc.array(syllable, { minLength: 1, maxLength: 6 }), (letters) => {
      const stock = { name: letters.join(''), code: '123450' }
      for (const text of [stock.name, initialsOf(stock.name), stock.code]) expect(isMeant(stock, text)).toBe(true)
    }),
  )
})
