import { describe, expect, test } from 'vitest'
import { ProtocolError } from '../errors.ts'
import { readHead } from './frame.ts'
import { decryptNotice, readNotices } from './notice.ts'

const KEY = { key: 'kq3n7v0c9x2m5b8w1z4t6y0r2p5s8d1f', iv: '9f1c3a5e7b2d4068' }
const ACCEPTED =
  'tester01^1234567801^0000012345^^02^0^00^0^005930^0000000010^000070000^093355^0^1^1^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000000000'
const FILL =
  'tester01^1234567801^0000012345^^02^0^00^0^005930^0000000004^000069900^093401^0^2^2^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000070000'
const CANCELLED =
  'tester01^1234567801^0000012399^0000012345^02^2^00^0^005930^0000000006^000070000^093502^0^1^2^06010^000000006^홍길동^000000000^1^Y^^10^^삼성전자^000000000'
const REJECTED =
  'tester01^1234567801^0000012400^^02^0^00^0^005930^0000000010^000070000^093510^1^1^1^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000000000'
const IOC =
  'tester01^1234567801^0000012401^^02^0^11^1^005930^0000000003^000070000^093611^0^1^3^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000000000'
const FRAME =
  '1|H0STCNI0|001|55ZvQGHCWbUmysYoGYAC9eG6ZB7jkqFeWO8wJkyP1fCtcyauJFxpOaqVpVfqcWTS4f1XAxRn7upAgOOFAHSKJLg4go8z3R1v2PTdlP8zySWQjnrsjMyhKjmixS+VH8Gpt1DLE8F0718EBOM4I8yEI9okrk6OVDLJ1n7jdnKjscRsU7B6w0P8ZaGOqQU+/CU1REs1GxnoZgU5hS104sVdXw=='

/** The layout before NXT: three fields fewer, the same first 18. */
const old = (notice: string): string =>
  [...notice.split('^').slice(0, 18), '삼성전자', '10', '', '삼성전자', '0'].join('^')
const read = (notice: string) => readNotices(notice, 1)[0]

test('an encrypted frame opens with the key of its registration', () => {
  const frame = Buffer.from(FRAME)
  const head = readHead(frame)
  expect(head).toMatchObject({ encrypted: true, trId: 'H0STCNI0', count: 1 })
  expect(decryptNotice(frame.toString('utf8', head.start), KEY)).toBe(FILL)
})

test.each([
  ['another key', { ...KEY, key: KEY.key.toUpperCase() }],
  ['a key of the wrong length', { ...KEY, key: 'short' }],
])('%s: a protocol error, not nonsense', (_name, key) =>
  expect(() => readNotices(decryptNotice(FRAME.slice(15), key), 1)).toThrow(ProtocolError),
)

describe.each([
  ['26 fields', (notice: string) => notice],
  ['23 fields', old],
])('%s', (_name, layout) => {
  test.each([
    ['accepted', ACCEPTED, { kind: 'accepted', odno: '0000012345', originalOdno: null, count: 10, price: 70_000 }],
    ['fill', FILL, { kind: 'filled', odno: '0000012345', side: 'buy', code: '005930', count: 4, price: 69_900 }],
    ['cancel confirmed', CANCELLED, { kind: 'changeConfirmed', odno: '0000012399', originalOdno: '0000012345' }],
    ['rejected', REJECTED, { kind: 'rejected', odno: '0000012400' }],
    ['IOC remainder', IOC, { kind: 'iocCancelled', count: 3 }],
  ])('%s', (_event, notice, expected) => expect(read(layout(notice))).toMatchObject(expected))
})

test('a cancel request that was only received is not confirmed', () => {
  const values = CANCELLED.split('^')
  values[14] = '1'
  expect(read(values.join('^'))?.kind).toBe('changeReceived')
})

test('several notices of one frame are all read', () =>
  expect(readNotices(`${ACCEPTED}^${FILL}`, 2).map(({ kind }) => kind)).toEqual(['accepted', 'filled']))

test('an unknown trailing field is ignored', () => expect(read(`${FILL}^new`)?.kind).toBe('filled'))

test.each([
  ['22 fields', old(FILL).split('^').slice(0, 22).join('^'), 1],
  ['24 fields', FILL.split('^').slice(0, 24).join('^'), 1],
  ['fewer records than announced', FILL, 2],
  ['no order number', FILL.replace('0000012345', '          '), 1],
  ['an unknown side', FILL.replace('^02^0^00', '^09^0^00'), 1],
  ['an unknown kind', FILL.replace('^0^2^2^', '^0^7^2^'), 1],
  ['a count that is no number', FILL.replace('0000000004', '00000000x4'), 1],
])('%s is refused', (_name, plain, count) => expect(() => readNotices(plain, count)).toThrow(ProtocolError))

test.each(['', '0', '0|', '0|H0STCNI0', '0|H0STCNI0|001', '2|H0STCNI0|001|x', '0|H0STCNI0|abc|x', '0||001|x', 'hello'])(
  'not a frame: "%s"',
  (text) => expect(() => readHead(Buffer.from(text))).toThrow(ProtocolError),
)
