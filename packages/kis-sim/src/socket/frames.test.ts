import { createDecipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import { encrypted, frame } from './frames.ts'

test('the notice of the broker’s example encrypts to the frame it shows', () => {
  const plain =
    'tester01^1234567801^0000012345^^02^0^00^0^005930^0000000004^000069900^093401^0^2^2^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000070000'
  const [key, iv] = ['kq3n7v0c9x2m5b8w1z4t6y0r2p5s8d1f', '9f1c3a5e7b2d4068']
  const text = frame('1', 'H0STCNI0', 1, encrypted(plain, key, iv))
  expect(text).toBe(
    '1|H0STCNI0|001|55ZvQGHCWbUmysYoGYAC9eG6ZB7jkqFeWO8wJkyP1fCtcyauJFxpOaqVpVfqcWTS4f1XAxRn7upAgOOFAHSKJLg4go8z3R1v2PTdlP8zySWQjnrsjMyhKjmixS+VH8Gpt1DLE8F0718EBOM4I8yEI9okrk6OVDLJ1n7jdnKjscRsU7B6w0P8ZaGOqQU+/CU1REs1GxnoZgU5hS104sVdXw==',
  )
  const cipher = createDecipheriv('aes-256-cbc', key, iv)
  expect(cipher.update(text.split('|')[3] ?? '', 'base64', 'utf8') + cipher.final('utf8')).toBe(plain)
})
