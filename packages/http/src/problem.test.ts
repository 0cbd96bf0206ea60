import { Refused } from '@digger/contract'
import { ProtocolError, RefusedError, ThrottledError, TokenError, UnreachableError } from '@digger/kis'
import { describe, expect, test } from 'vitest'
import { problemOf } from './problem.ts'

test('a refusal keeps its code and its message', () => {
  expect(problemOf(new Refused('STOPPED', '멈춰 있습니다.'))).toEqual({ code: 'STOPPED', message: '멈춰 있습니다.' })
})

describe('a failure of the broker', () => {
  test.each([
    [new ThrottledError('초당 거래건수를 초과하였습니다', 'EGW00201'), 'BUSY', '초과하였습니다. 잠시 뒤'],
    [
      new RefusedError('주문이 불가한 계좌입니다', 'APBK0918'),
      'REJECTED',
      '증권사가 거절했습니다: 주문이 불가한 계좌입니다.',
    ],
    [new TokenError('유효하지 않은 AppSecret입니다.', 'EGW00105'), 'REJECTED', 'appSecret을 확인해 주세요.'],
    [new TokenError('42초 뒤에 다시 발급할 수 있습니다.'), 'BROKER_UNREACHABLE', '연결하지 못했습니다: 42초'],
    [
      new UnreachableError('GW라우팅 중 오류', 'EGW00202'),
      'BROKER_UNREACHABLE',
      '처리하지 못했습니다: GW라우팅 중 오류.',
    ],
    [new UnreachableError('응답을 받지 못했습니다.'), 'BROKER_UNREACHABLE', '연결하지 못했습니다: 응답을'],
  ])('%s', (failure, code, text) => {
    expect(problemOf(failure)).toEqual({ code, message: expect.stringContaining(text) })
  })

  test('a reply that cannot be read shows nothing of its inside', () => {
    const problem = problemOf(new ProtocolError('balance: output2.0.dnca_tot_amt expected string', 'X'))
    expect(problem).toEqual({ code: 'BROKER_UNREACHABLE', message: expect.not.stringContaining('output2') })
  })
})

test('a database that cannot be reached is no fault inside: its reply says to look and to try again', () => {
  expect(problemOf(new Error('Connection terminated due to connection timeout'))).toEqual({
    code: 'BUSY',
    message: expect.stringMatching(/^데이터베이스에 연결하지 못했습니다\. .* 다시 해 주세요\.$/),
  })
})

const withStatus = (statusCode: number) => Object.assign(new Error('FST_ERR'), { statusCode })

describe('an error of the framework', () => {
  test.each([400, 413, 415, 499])('%i is input that cannot be read', (status) => {
    expect(problemOf(withStatus(status))).toEqual({
      code: 'INVALID',
      message: expect.stringContaining('읽을 수 없습니다.'),
    })
  })

  test.each([200, 399, 500, 503])('%i is nothing a person can mend', (status) => {
    expect(problemOf(withStatus(status))).toBeNull()
  })
})

test.each([new TypeError('inside'), 'a string', null, undefined, { statusCode: 400 }])(
  'what nobody foresaw has no message: %s',
  (error) => expect(problemOf(error)).toBeNull(),
)
