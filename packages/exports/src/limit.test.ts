import { Refused } from '@digger/contract'
import { expect, test } from 'vitest'
import { ExportLimit } from './limit.ts'

const codeOf = (limit: ExportLimit, person: string): string => {
  try {
    limit.begin(person)
    return 'begun'
  } catch (error) {
    return error instanceof Refused ? error.code : String(error)
  }
}

test('two files of a person are under way, a third has to wait until one has ended', () => {
  const limit = new ExportLimit()
  const first = limit.begin('me')
  limit.begin('me')
  expect(codeOf(limit, 'me')).toBe('BUSY')
  expect(codeOf(limit, 'you')).toBe('begun')
  first()
  expect(codeOf(limit, 'me')).toBe('begun')
})

test('an end that is said twice counts once', () => {
  const limit = new ExportLimit()
  const end = limit.begin('me')
  end()
  end()
  limit.begin('me')
  limit.begin('me')
  expect(codeOf(limit, 'me')).toBe('BUSY')
})

test('all people together have eight, and nobody is forgotten who waits', () => {
  const limit = new ExportLimit()
  const ends = Array.from({ length: 8 }, (_, n) => limit.begin(`person${Math.floor(n / 2)}`))
  expect(codeOf(limit, 'another')).toBe('BUSY')
  ends[7]?.()
  expect(codeOf(limit, 'another')).toBe('begun')
  expect(codeOf(limit, 'one more')).toBe('BUSY')
})

test('a refusal says in Korean what can be done', () => {
  const limit = new ExportLimit()
  limit.begin('me')
  limit.begin('me')
  expect(() => limit.begin('me')).toThrow('이미 파일 2개를 만들고 있습니다. 다 내려받은 뒤에 다시 해 주세요.')
})
