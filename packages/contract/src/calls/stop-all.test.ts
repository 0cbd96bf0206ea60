import { describe, expect, test } from 'vitest'
import { liveCalls } from './live.ts'

const TOKEN = 'aB3-_'.padEnd(43, 'x')
const messageOf = (token: unknown) => liveCalls.pressStopLink.body.safeParse({ token }).error?.issues[0]?.message

describe('the secret of a stop link', () => {
  test('is 32 bytes as a link can carry them', () => {
    const made = Buffer.alloc(32, 0xfb).toString('base64url')
    expect([TOKEN, made].map(messageOf)).toEqual([undefined, undefined])
  })

  test.each([
    ['cut off', TOKEN.slice(1)],
    ['too long', `${TOKEN}x`],
    ['empty', ''],
    ['in other letters', `가${TOKEN.slice(1)}`],
    ['of another alphabet', `+${TOKEN.slice(1)}`],
    ['with a space', ` ${TOKEN}`],
    ['followed by a line break', `${TOKEN}\n`],
  ])('%s is refused in words for people', (_name, token) => expect(messageOf(token)).toContain('끝까지 복사했는지'))

  test('is a text', () => expect([null, 5, undefined].map(messageOf)).not.toContain(undefined))
})

describe('everything cancelled and halted', () => {
  test.each([[{ own: true }], [{ own: false }]])('%j says what becomes of own orders', (body) =>
    expect(liveCalls.stopAll.body.parse(body)).toEqual(body),
  )

  test.each([[{}], [{ own: 'true' }], [{ own: null }], [null]])('%j leaves it open, and is refused', (body) =>
    expect(liveCalls.stopAll.body.safeParse(body).success).toBe(false),
  )

  test('no link at all is a reply', () => {
    const { reply } = liveCalls.stopLink
    const createdAt = '2026-11-26T20:00:00.000+09:00'
    for (const link of [null, { createdAt, usedAt: null }, { createdAt, usedAt: createdAt }])
      expect(reply.parse(link)).toEqual(link)
  })
})
