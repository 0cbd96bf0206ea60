import { expect, test } from 'vitest'
import { groupsOf, reportText } from './groups.ts'

const CHECKS = [
  { name: '현재가', findings: [{ level: 'ok', text: '같습니다.' }] },
  {
    name: '잔고',
    findings: [
      { level: 'note', text: '다르게 적혀 있습니다.', fields: ['odno'], came: "'  1'", source: '문서' },
      { level: 'wrong', text: '없습니다.', fields: ['hldg_qty', 'pdno'], believed: '정수', came: '' },
    ],
  },
] as const satisfies Parameters<typeof groupsOf>[0]['checks']

const given = {
  checks: CHECKS.map(({ name, findings }) => ({
    name,
    findings: findings.map((one) => ({ ...one, ...('fields' in one && { fields: [...one.fields] }) })),
  })),
}

test('the worst come first, and levels that none has are left out', () => {
  expect(groupsOf(given).map(({ title, findings }) => [title, findings.length])).toEqual([
    ['다릅니다', 1],
    ['알아 둘 것', 1],
    ['맞습니다', 1],
  ])
})

test('technical details are the fields, what was believed and what came, where there is any', () => {
  const [wrong, note, fine] = groupsOf(given)
  expect(wrong?.findings[0]?.details).toEqual([
    ['항목', 'hldg_qty, pdno'],
    ['믿은 것', '정수'],
  ])
  expect(note?.findings[0]?.details).toEqual([
    ['항목', 'odno'],
    ['온 것', "'  1'"],
    ['근거', '문서'],
  ])
  expect(fine?.findings[0]?.details).toEqual([])
})

test('what is copied says when, and each sentence with its check', () => {
  const lines = reportText({ ...given, checkedAt: '2026-11-16T10:30:00+09:00' }).split('\n')
  expect(lines[0]).toBe('연결 점검 2026-11-16T10:30:00+09:00')
  expect(lines).toContain('- 잔고: 없습니다.')
  expect(lines).toContain('    항목: hldg_qty, pdno')
})

test('nothing checked is nothing shown', () => {
  expect(groupsOf({ checks: [] })).toEqual([])
})
