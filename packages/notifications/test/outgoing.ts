import * as fc from 'fast-check'
import type { Outgoing } from '../src/channels/channel.ts'

export const outgoing = (over: Partial<Outgoing> = {}): Outgoing => ({
  id: '0198f2c1-7a4e-7000-8000-00000001',
  title: '삼성전자 10주 매수',
  lines: ['72,300원에 10주를 샀습니다.', '다음 매수는 70,100원입니다.'],
  silent: false,
  url: 'https://digger.example/accounts/1',
  at: Date.parse('2026-03-02T09:00:00+09:00'),
  ...over,
})

/** Short ones of every character, and long ones. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.tuple(fc.constantFrom('가', '"\\\n', '😀a', '👨‍👩‍👧‍👦', '&'), fc.nat(2_000)).map(([part, times]) => part.repeat(times)),
)

export const NOW = Date.parse('2026-03-02T00:00:00Z')

/** A sentence for people: Korean, short, and none of what only the address or the operator's settings hold. */
export const isSentence = (why: string, secrets: readonly string[] = []): boolean =>
  /[가-힣].*\.$/.test(why) && why.length <= 100 && secrets.every((secret) => !why.includes(secret))
