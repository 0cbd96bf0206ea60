import type { AnnouncedAction } from '@digger/contract'
import { expect, test } from 'vitest'
import { announcedNotes, announcedText } from './announced.ts'

const BONUS: AnnouncedAction = { kind: 'bonusIssue', day: '20261124', ratio: 2, paid: 0, creditDay: '20261214' }

test.each<[Partial<AnnouncedAction>, string]>([
  [{}, '2026-11-24 무상증자(1주당 새 주식 1주)'],
  [{ kind: 'rightsIssue', ratio: 1.2, paid: 12_500 }, '2026-11-24 유상증자(1주당 새 주식 0.2주, 1주 12,500원)'],
  [{ kind: 'stockDividend', ratio: 1.05 }, '2026-11-24 주식배당(1주당 새 주식 0.05주)'],
  [{ kind: 'stockDividend', ratio: 1.0325 }, '2026-11-24 주식배당(1주당 새 주식 0.0325주)'],
  [{ kind: 'faceValue', ratio: 5 }, '2026-11-24 주식 분할(1주가 5주로)'],
  [{ kind: 'faceValue', ratio: 1 / 3 }, '2026-11-24 주식 병합(3주가 1주로)'],
])('%j', (change, expected) => expect(announcedText({ ...BONUS, ...change })).toBe(expected))

test('the day of the new shares is told where it is another one, and known', () => {
  expect(announcedNotes(BONUS)).toContain('새 주식은 2026-12-14에 들어올 예정입니다.')
  expect(announcedNotes({ ...BONUS, creditDay: BONUS.day })).toHaveLength(1)
  expect(announcedNotes({ ...BONUS, creditDay: null })).toHaveLength(1)
})
