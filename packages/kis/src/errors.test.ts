import { expect, test } from 'vitest'
import {
  DaysRefusedError,
  KisError,
  ListChangedError,
  NoDataError,
  NotOfferedError,
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  RefusedError,
  ThrottledError,
  TokenError,
  UnreachableError,
  outcomeOf,
} from './errors.ts'

/** What each kind says of the order it carried. Certain are only those whose order cannot exist. */
test.each<[new (message: string, code?: string | null, cause?: unknown) => KisError, string]>([
  [RefusedError, 'refused'],
  [NoDataError, 'refused'],
  [DaysRefusedError, 'refused'],
  [ListChangedError, 'refused'],
  [ThrottledError, 'refused'],
  [NotOfferedError, 'refused'],
  [NotSentError, 'notSent'],
  [TokenError, 'notSent'],
  [OutcomeUnknownError, 'unknown'],
  [UnreachableError, 'unknown'],
  [ProtocolError, 'unknown'],
])('%o: %s, with message, code and cause', (Kind, outcome) => {
  const cause = new Error('below')
  const error = new Kind('거절되었습니다.', 'APBK0400', cause)
  expect(outcomeOf(error)).toBe(outcome)
  expect(error).toBeInstanceOf(KisError)
  expect(error).toMatchObject({ name: Kind.name, message: '거절되었습니다.', code: 'APBK0400', cause })
  expect(new Kind('x').code).toBeNull()
  expect('cause' in new Kind('x')).toBe(false)
})

test.each([new Error('x'), new RangeError('x'), 'text', null, undefined, 0, {}, { outcome: 'refused' }])(
  '%o is no error of this package, so the order may exist',
  (thrown) => expect(outcomeOf(thrown)).toBe('unknown'),
)
