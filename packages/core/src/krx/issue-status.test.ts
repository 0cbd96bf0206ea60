import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { barringStatus, ISSUE_STATUSES, sortedStatuses, STATUS_NAMES, type IssueStatus } from './issue-status.ts'

test.each<[IssueStatus[], IssueStatus | null]>([
  [[], null],
  [['caution'], null],
  [['overheated', 'interrupted', 'halted', 'unknown', 'caution'], null],
  [['warning'], 'warning'],
  [['risk'], 'risk'],
  [['administrative'], 'administrative'],
  [['liquidation'], 'liquidation'],
  [['halted', 'warning'], 'warning'],
  [['warning', 'administrative', 'liquidation'], 'liquidation'],
  [['unknown', 'caution', 'risk'], 'risk'],
])('%j bars as %s', (statuses, barring) => expect(barringStatus(statuses)).toBe(barring))

test('the order in which statuses were said changes nothing, and none comes twice', () => {
  const some = fc.array(fc.constantFrom(...ISSUE_STATUSES), { maxLength: 12 })
  fc.assert(
    fc.property(some, (statuses) => {
      const sorted = sortedStatuses(statuses)
      expect(sorted).toEqual(sortedStatuses(statuses.toReversed()))
      expect(new Set(sorted)).toEqual(new Set(statuses))
      expect(sorted).toHaveLength(new Set(statuses).size)
      expect(barringStatus(sorted)).toBe(barringStatus(statuses))
    }),
  )
})

test('each has a name of its own', () => {
  const names = ISSUE_STATUSES.map((status) => STATUS_NAMES[status])
  expect(new Set(names).size).toBe(ISSUE_STATUSES.length)
})
