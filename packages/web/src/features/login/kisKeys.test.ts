import { expect, test } from 'vitest'
import { kisKeysIn, lengthHint } from './kisKeys.ts'

const KEY = `PS${'aB3x'.repeat(9)}`.slice(0, 36)
const SECRET = 'Qz+/8'.repeat(36).slice(0, 179).concat('=')

test.each([
  ['both, one line each', `${KEY}\n${SECRET}`, { appKey: KEY, appSecret: SECRET }],
  ['with the words of the page', `APP Key : ${KEY}\nAPP Secret : ${SECRET}\n복사`, { appKey: KEY, appSecret: SECRET }],
  ['the other way round', `${SECRET} ${KEY}`, { appKey: KEY, appSecret: SECRET }],
  ['as JSON', JSON.stringify({ appkey: KEY, appsecret: SECRET }), { appKey: KEY, appSecret: SECRET }],
  ['the key alone', ` ${KEY} `, { appKey: KEY }],
  ['the secret alone', SECRET, { appSecret: SECRET }],
  ['a secret that was cut', `${KEY} ${SECRET.slice(0, 176)}`, { appKey: KEY }],
  ['nothing of the kind', '12345678-01', {}],
  ['nothing', '', {}],
])('%s', (_name, text, keys) => {
  expect(kisKeysIn(text)).toEqual(keys)
})

test('a key of another length says what may have happened', () => {
  expect(lengthHint('', 180)).toBe('')
  expect(lengthHint(SECRET, 180)).toBe('')
  expect(lengthHint(`${SECRET} `, 180)).toBe('')
  expect(lengthHint(SECRET.slice(4), 180)).toContain('180자 가운데 176자입니다')
  expect(lengthHint(`${KEY}ab`, 36)).toContain('2자 깁니다')
})
