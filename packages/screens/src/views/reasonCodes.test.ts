import { IssueStatus, ReasonCode } from '@digger/contract'
import { ISSUE_STATUSES, REASON_CODES } from '@digger/core'
import { expect, test } from 'vitest'

test('the contract lists the reason codes of the rules, every one and no other', () => {
  expect(ReasonCode.options.toSorted()).toEqual(REASON_CODES.toSorted())
})

test('the contract lists the designations of the market rules in their order, every one and no other', () => {
  expect(IssueStatus.options).toEqual([...ISSUE_STATUSES])
})

test('reason codes are written one way', () => {
  expect(REASON_CODES.filter((code) => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(code))).toEqual([])
})
