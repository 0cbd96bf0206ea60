import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  accountNumber,
  email,
  flag,
  login,
  MAX_WON,
  ofStock,
  ofTrade,
  orderBody,
  orderQuery,
  password,
  rangeQuery,
  stockListQuery,
  typedPercent,
  typedWon,
} from './inputs.ts'

/** What the schema makes of an input, or the first thing it says against it. */
const read = (schema: z.ZodType, input: unknown): unknown => {
  const { success, data, error } = schema.safeParse(input)
  return success ? data : (error.issues[0]?.message ?? 'refused')
}
const isRefused = (schema: z.ZodType, input: unknown): boolean => !schema.safeParse(input).success

const NO_WON = '원 단위의 정수로 넣어 주세요.'
const NO_PERCENT = '숫자로 넣어 주세요.'

describe('an amount of won, as a person types it', () => {
  test.each<[input: unknown, won: unknown]>([
    [0, 0],
    ['0', 0],
    [70_000, 70_000],
    ['70000', 70_000],
    ['70,000', 70_000],
    ['1,234,567', 1_234_567],
    ['  70,000\t', 70_000],
    ['+70,000', 70_000],
    ['007', 7],
    ['70,000.0', 70_000],
    ['', null],
    ['   ', null],
    [null, null],
    [MAX_WON, MAX_WON],
    ['1,000,000,000,000', MAX_WON],
    [MAX_WON + 1, '너무 큰 금액입니다. 1조 원 이하로 넣어 주세요.'],
    ['1,000,000,000,001', '너무 큰 금액입니다. 1조 원 이하로 넣어 주세요.'],
    [-1, '0 이상으로 넣어 주세요.'],
    ['-1', '0 이상으로 넣어 주세요.'],
    ['-70,000', '0 이상으로 넣어 주세요.'],
    [0.5, NO_WON],
    ['70,000.5', NO_WON],
    [Number.NaN, NO_WON],
    [Number.POSITIVE_INFINITY, NO_WON],
    [undefined, NO_WON],
    [true, NO_WON],
    [[], NO_WON],
    ['칠만', NO_WON],
    ['7만', 70_000],
    ['1억 2,000만', 120_000_000],
    ['70000원', 70_000],
    ['7 0', NO_WON],
    ['1e5', NO_WON],
    ['0x10', NO_WON],
    ['Infinity', NO_WON],
    ['１２３', 123],
    ['--1', NO_WON],
    ['+', NO_WON],
    // A separator in the wrong place is more likely a slip than a number.
    ['1,00,000', NO_WON],
    ['70,00', NO_WON],
    ['7,0000', NO_WON],
    ['1234,567', NO_WON],
    [',000', NO_WON],
    ['70,000,', NO_WON],
    ['70.000,5', NO_WON],
  ])('%j is %j', (input, won) => expect(read(typedWon, input)).toBe(won))

  test('is read back whatever separators it is shown with', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_WON }), (won) => {
        for (const text of [String(won), won.toLocaleString('ko-KR'), ` ${won.toLocaleString('en-US')} `])
          expect(read(typedWon, text)).toBe(won)
      }),
    ))

  test('is a whole number within bounds or none, whatever is typed', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9,. ]{0,16}$/), fc.double()), (input) => {
        const won = typedWon.safeParse(input).data ?? 0
        expect(Number.isInteger(won) && won >= 0 && won <= MAX_WON).toBe(true)
      }),
    ))
})

describe('a percentage, as a person types it', () => {
  test.each<[input: unknown, percent: unknown]>([
    ['-1', -1],
    ['-0.01', -0.01],
    ['+1.2', 1.2],
    ['1,000', 1_000],
    [' 1.2 ', 1.2],
    [0, 0],
    [-99, -99],
    ['-99.0', -99],
    [1_000, 1_000],
    [-99.01, '-99 이상으로 넣어 주세요.'],
    ['-100', '-99 이상으로 넣어 주세요.'],
    ['1000.01', '1000 이하로 넣어 주세요.'],
    ['', NO_PERCENT],
    [null, NO_PERCENT],
    [undefined, NO_PERCENT],
    [Number.NaN, NO_PERCENT],
    ['일', NO_PERCENT],
    ['.5', NO_PERCENT],
    ['5.', NO_PERCENT],
    ['1.2.3', NO_PERCENT],
    ['1.2%', NO_PERCENT],
    ['1,2', NO_PERCENT],
  ])('%j is %j', (input, percent) => expect(read(typedPercent, input)).toBe(percent))
})

describe('a flag in an address', () => {
  test('is the text true or false, else its default', () => {
    for (const by of [true, false]) {
      expect(read(flag(by), undefined)).toBe(by)
      expect(read(flag(by), 'true')).toBe(true)
      expect(read(flag(by), 'false')).toBe(false)
    }
    expect(read(stockListQuery, {})).toEqual({ withSavedGain: true, showOnlyWatch: true })
  })
  test.each(['', 'TRUE', 'yes', '1', '0', 'true ', true, null])('%j is neither', (input) =>
    expect(isRefused(flag(true), input)).toBe(true),
  )
})

const onlyFrom = (fromDate: unknown) => read(rangeQuery, { fromDate })
describe('days', () => {
  test.each(['20260101', '20261231', '20240229', '20000229', '20261120'])('%s is one', (day) =>
    expect(onlyFrom(day)).toEqual({ fromDate: day }),
  )
  test.each(['20260229', '21000229', '20260431', '20261131'])('%s is not in the calendar', (day) =>
    expect(onlyFrom(day)).toBe('달력에 없는 날짜입니다. 날짜를 확인해 주세요.'),
  )
  test.each(['', '2026', '2026-11-20', '20260001', '20261301', '20261100', '20261132', ' 20261120', '202611200'])(
    '%j has not the shape of one',
    (day) => expect(onlyFrom(day)).toBe('날짜는 YYYYMMDD 여덟 자리로 넣어 주세요.'),
  )
  test('a number is none', () => expect(isRefused(rangeQuery, { fromDate: 20_261_120 })).toBe(true))
  test('a range may leave out either end or both', () => {
    for (const range of [{}, { fromDate: '20261101' }, { toDate: '20261130' }])
      expect(read(rangeQuery, range)).toEqual(range)
  })
})

describe('what an address names', () => {
  const at = { userId: 'user', code: '005930' }
  test.each(['005930', '0001A0', 'Q50012', 'Q500012'])('%s is a stock', (code) =>
    expect(read(ofStock, { ...at, code })).toEqual({ ...at, code }),
  )
  test.each(['', '5930', '0059300', '00593a', '005930 ', 'Q5000123', '../005', '삼성전자'])('%j is none', (code) =>
    expect(isRefused(ofStock, { ...at, code })).toBe(true),
  )
  test('a trade is numbered from 1', () => {
    expect(read(ofTrade, { ...at, tradeId: '28' })).toEqual({ ...at, tradeId: 28 })
    const wrong = ['', '0', '-1', '1.5', 'all', '9007199254740993', undefined]
    expect(wrong.filter((tradeId) => !isRefused(ofTrade, { ...at, tradeId }))).toEqual([])
  })
  test('an empty user id is refused', () => expect(isRefused(ofStock, { ...at, userId: '' })).toBe(true))
  test('a filter that is empty is none', () => {
    expect(read(orderQuery, {})).toEqual({})
    expect(read(orderQuery, { orderType: '', code: '' })).toEqual({ orderType: '', code: '' })
    expect(read(orderQuery, { orderType: 'SELL', code: '005930' })).toEqual({ orderType: 'SELL', code: '005930' })
    expect(isRefused(orderQuery, { orderType: 'sell' })).toBe(true)
  })
})

describe('a log-in', () => {
  test('normalises an e-mail address however it is written', () => {
    expect(read(email, '  Minji@Example.COM ')).toBe('minji@example.com')
    for (const text of ['', 'minji', 'minji@', '@example.com', 'a b@example.com'])
      expect(read(email, text)).toBe('이메일 주소를 확인해 주세요.')
  })
  test('a password is taken as typed, up to 200 characters', () => {
    expect(read(password, ' 비밀 번호 ')).toBe(' 비밀 번호 ')
    expect(read(password, '')).toBe('비밀번호를 입력해 주세요.')
    expect(isRefused(password, 'x'.repeat(200))).toBe(false)
    expect(isRefused(password, 'x'.repeat(201))).toBe(true)
  })
  test('goes to the broker anew only where that is asked for', () => {
    const person = { email: 'minji@example.com', password: 'secret' }
    expect(read(login, person)).toEqual({ ...person, forceKisLogin: false })
    expect(read(login, { ...person, forceKisLogin: true })).toEqual({ ...person, forceKisLogin: true })
    expect(isRefused(login, { ...person, forceKisLogin: 'true' })).toBe(true)
  })
})

test('an order to cancel may be sent whole, by its number, or not at all', () => {
  for (const body of [undefined, {}, { orderId: '91002' }, { orderId: '91002', code: '005930', qty: 3 }])
    expect(read(orderBody, body)).toEqual(body)
  expect(isRefused(orderBody, { orderId: 91_002 })).toBe(true)
})

describe('an account number', () => {
  const PENSION = '연금·퇴직연금 계좌(22, 29)는 주문 방법이 달라 연결할 수 없습니다. 끝자리가 01인 계좌를 넣어 주세요.'
  test.each<[input: string, result: string]>([
    ['12345678', '12345678'],
    ['12345678-01', '1234567801'],
    ['１２３４５６７８－０１', '1234567801'],
    [' 1234567801 ', '1234567801'],
    ['12345678-22', PENSION],
    ['1234567829', PENSION],
    ['12345622', '12345622'],
    ['123456', '계좌번호는 숫자 8자리나 10자리로 넣어 주세요.'],
  ])('%j is %j', (input, result) => expect(read(accountNumber, input)).toBe(result))
})
