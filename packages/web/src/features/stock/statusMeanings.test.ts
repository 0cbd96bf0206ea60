import { ISSUE_STATUSES } from '@digger/core'
import { expect, test } from 'vitest'
import { meaningsOf } from './statusMeanings.ts'

test('each status is explained, then what it means for buying, then when it was read', () => {
  expect(meaningsOf(['warning', 'overheated'], '08:59')).toEqual([
    expect.stringMatching(/^투자경고: /),
    expect.stringMatching(/^단기과열: .*30분마다/),
    expect.stringContaining('스스로 사지 않습니다'),
    '증권사 시세로 08:59에 확인했습니다.',
  ])
})

test.each(ISSUE_STATUSES)('%s: only what bars buying says so, and an unknown time is left out', (status) => {
  const paragraphs = meaningsOf([status], null)
  const isBarred = ['liquidation', 'administrative', 'risk', 'warning'].includes(status)
  expect(paragraphs).toHaveLength(isBarred ? 2 : 1)
  expect(paragraphs.join(' ').includes('스스로 사지 않습니다')).toBe(isBarred)
})
