import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withParticle, type Particle } from './particle.ts'

test.each<[name: string, particle: Particle, result: string]>([
  ['삼성전자', '을', '삼성전자를'],
  ['KB금융', '을', 'KB금융을'],
  ['현대차', '이', '현대차가'],
  ['한화솔루션', '이', '한화솔루션이'],
  ['카카오', '은', '카카오는'],
  ['매매 중', '으로', '매매 중으로'],
  ['매수 멈춤', '으로', '매수 멈춤으로'],
  ['지난해', '으로', '지난해로'],
  // ㄹ is a final consonant for all but 로.
  ['한글', '을', '한글을'],
  ['이번 달', '으로', '이번 달로'],
  ['서울', '과', '서울과'],
  // As they are read: 이백, 엔 (N) and 알 (R), 엘지.
  ['KODEX 200', '을', 'KODEX 200을'],
  ['005930', '은', '005930은'],
  ['TIGER 2', '을', 'TIGER 2를'],
  ['2027', '으로', '2027로'],
  ['1,000', '으로', '1,000으로'],
  ['NAVER', '을', 'NAVER을'],
  ['NAVER', '으로', 'NAVER로'],
  ['SK', '이', 'SK가'],
  ['KT&G', '을', 'KT&G를'],
  // Brackets and signs are not read.
  ['신한 레버리지 WTI원유 선물 ETN(H)', '을', '신한 레버리지 WTI원유 선물 ETN(H)을'],
  ['현대차2우B', '을', '현대차2우B를'],
  ['‘한도’', '이', '‘한도’가'],
  ['', '을', '를'],
])('%j with %s is %j', (name, particle, result) => {
  expect(withParticle(name, particle)).toBe(result)
})

test('a name is never changed, and gets one of the two forms', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const result = withParticle(name, '을')
      expect([`${name}을`, `${name}를`]).toContain(result)
    }),
  )
})
