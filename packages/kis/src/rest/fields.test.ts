import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ProtocolError } from '../errors.ts'
import type { ApiReply } from '../transport/api-reply.ts'
import {
  calendarDay,
  decimalOrZero,
  nonBlank,
  odno,
  parse,
  single,
  stockCode,
  text,
  venue,
  whole,
  wholeOrZero,
} from './fields.ts'

const replyOf = (body: Record<string, unknown>): ApiReply => ({
  status: 200,
  ok: true,
  code: 'KIOK0510',
  message: '',
  cont: null,
  rtCd: '0',
  body,
})
/** What the schema makes of a value, or `refused`. */
const read = (schema: z.ZodType, value: unknown): unknown => {
  const result = schema.safeParse(value)
  return result.success ? result.data : 'refused'
}

describe('numbers as the broker writes them', () => {
  test.each<[unknown, unknown, unknown, unknown]>([
    // value, whole, wholeOrZero, decimalOrZero
    ['70500', 70_500, 70_500, 70_500],
    ['000000070500', 70_500, 70_500, 70_500],
    ['     70500', 70_500, 70_500, 70_500],
    ['70500   ', 70_500, 70_500, 70_500],
    ['+500', 500, 500, 500],
    ['-500', -500, -500, -500],
    ['-000500', -500, -500, -500],
    ['0', 0, 0, 0],
    ['0000', 0, 0, 0],
    ['70500.0000', 70_500, 70_500, 70_500],
    ['70500.', 70_500, 70_500, 70_500],
    ['0.86', 'refused', 'refused', 0.86],
    ['.86', 'refused', 'refused', 0.86],
    ['-0.86', 'refused', 'refused', -0.86],
    ['', 'refused', 0, 0],
    ['   ', 'refused', 0, 0],
    ['(null)', 'refused', 0, 0],
    [' (null) ', 'refused', 0, 0],
    [70_500, 70_500, 70_500, 70_500],
    [0.5, 'refused', 'refused', 0.5],
    [undefined, 'refused', 0, 0],
    [null, 'refused', 0, 0],
    ['70,500', 'refused', 'refused', 'refused'],
    ['70 500', 'refused', 'refused', 'refused'],
    ['- 500', 'refused', 'refused', 'refused'],
    ['--500', 'refused', 'refused', 'refused'],
    ['+', 'refused', 'refused', 'refused'],
    ['-', 'refused', 'refused', 'refused'],
    ['.', 'refused', 'refused', 'refused'],
    ['0x10', 'refused', 'refused', 'refused'],
    ['0b11', 'refused', 'refused', 'refused'],
    ['Infinity', 'refused', 'refused', 'refused'],
    ['NaN', 'refused', 'refused', 'refused'],
    ['9007199254740993', 'refused', 'refused', 9_007_199_254_740_992],
    [{}, 'refused', 'refused', 'refused'],
    [['1'], 'refused', 'refused', 'refused'],
    [true, 'refused', 'refused', 'refused'],
  ])('%j', (value, asWhole, asWholeOrZero, asDecimalOrZero) => {
    expect([read(whole, value), read(wholeOrZero, value), read(decimalOrZero, value)]).toEqual([
      asWhole,
      asWholeOrZero,
      asDecimalOrZero,
    ])
  })

  test('any whole number survives its sign, zeros and blanks', () =>
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.boolean(), fc.nat(12), fc.nat(12), (number, negative, zeros, blanks) => {
        const signed = negative && number > 0 ? -number : number
        const written = `${' '.repeat(blanks)}${signed < 0 ? '-' : ''}${'0'.repeat(zeros)}${number} `
        expect(whole.parse(written)).toBe(signed)
      }),
    ))

  test('any text is a number of that text or refused', () =>
    fc.assert(
      fc.property(fc.string(), (anything) => {
        const value = read(decimalOrZero, anything)
        const blank = anything.trim() === '' || anything.trim() === '(null)'
        const isNumber = Number.isFinite(value) && (blank || /\d/.test(anything))
        expect(value === 'refused' || isNumber).toBe(true)
      }),
    ))
})

describe('texts', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a text loses its padding', text, ' 삼성전자  ', '삼성전자'],
    ['an absent text is empty', text, undefined, ''],
    ['(null) is empty', text, '(null)', ''],
    ['a blank is no value', nonBlank, '   ', 'refused'],
    ['(null) is no value', nonBlank, '(null)', 'refused'],
    ['an absent value', nonBlank, undefined, 'refused'],
    ['a code of twelve characters', stockCode, '00000A003550', '003550'],
    ['a code of six', stockCode, '0001A0', '0001A0'],
    ['an ETN code of seven', stockCode, 'Q500001', 'Q500001'],
    ['no code', stockCode, '', 'refused'],
    ['an order number is padded', odno, '528', '0000000528'],
    ['no order number', odno, ' ', 'refused'],
    ['NXT', venue, 'NXT', 'NXT'],
    ['SOR', venue, 'SOR ', 'SOR'],
    ['an absent venue is KRX', venue, null, 'KRX'],
    ['an unknown venue is KRX', venue, 'XKRX', 'KRX'],
    ['a day', calendarDay, '20281231', '20281231'],
    ['a leap day', calendarDay, '20280229', '20280229'],
    ['no day at all: rows may be empty', calendarDay, '', ''],
    ['an absent day', calendarDay, undefined, ''],
    ['a day of no calendar', calendarDay, '20270229', 'refused'],
    ['a 13th month', calendarDay, '20261301', 'refused'],
    ['a day with dashes', calendarDay, '2026-11-16', 'refused'],
  ])('%s', (_name, schema, value, expected) => expect(read(schema, value)).toBe(expected))
})

describe('a whole reply', () => {
  const ReplyBody = z.object({ output: single(z.object({ cash: whole })) })

  test('an object, or an array of one', () => {
    expect(parse(ReplyBody, replyOf({ output: { cash: '5' } }), 'cash')).toEqual({ output: { cash: 5 } })
    expect(parse(ReplyBody, replyOf({ output: [{ cash: '5' }] }), 'cash')).toEqual({ output: { cash: 5 } })
  })

  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['an empty array', { output: [] }],
    ['a text', { output: 'x' }],
    ['null', { output: null }],
    ['a blank number', { output: { cash: ' ' } }],
  ])('%s is a protocol error that names the field and keeps the code', (_name, body) => {
    const attempt = (): unknown => parse(ReplyBody, replyOf(body), 'cash')
    expect(attempt).toThrow(ProtocolError)
    expect(attempt).toThrow(/^cash: output/)
    expect(attempt).toThrow(expect.objectContaining({ code: 'KIOK0510' }))
  })
})
