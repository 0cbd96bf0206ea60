import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Sim } from '@digger/kis-sim'
import { examine, type Finding } from '../src/index.ts'
import { ANSWERS, type SeenAnswer } from './answers.ts'
import { brokerOf, clientOf, examinerOf, makeHistory, ordersAtExchange, type Assumptions } from './fixture.ts'

let sim: Sim | null = null
afterEach(async () => {
  await sim?.close()
  sim = null
})

/** What is found of an account with a history; the exchange's own list proves that nothing was ordered. */
async function found(
  assumptions: Assumptions,
  { when, options }: Partial<SeenAnswer<unknown>> = {},
): Promise<Finding[]> {
  sim = await brokerOf({ ...options, assumptions })
  await makeHistory(sim, when)
  const before = ordersAtExchange(sim)
  const { rest, close } = clientOf(sim)
  const { checks } = await examine(examinerOf(sim, rest))
  await close()
  expect(ordersAtExchange(sim)).toBe(before)
  return checks.flatMap(({ findings }) => findings)
}

const seen = Object.entries<(typeof ANSWERS)[keyof typeof ANSWERS]>(ANSWERS).flatMap(([name, answers]) =>
  'seen' in answers ? answers.seen.map((one: SeenAnswer<unknown>) => [name, one] as const) : [],
)

describe('an answer other than the believed one is named', () => {
  test.each(seen.map(([name, one]) => ({ name, one, is: JSON.stringify(one.answer) })))(
    '$name: $is',
    async ({ name, one }) => {
      const usual = await found({}, one)
      expect(usual.filter(({ text }) => text.includes(one.says))).toEqual([])
      await sim?.close()
      const findings = await found({ [name]: one.answer }, one)
      const named = findings.filter(({ text }) => text.includes(one.says))
      expect([...new Set(named.map(({ level }) => level))]).toEqual([one.level ?? 'note'])
    },
  )
})

test('with believed answers nothing is wrong', async () => {
  const findings = await found({})
  expect(findings.filter(({ level }) => level === 'wrong')).toEqual([])
  expect(findings.filter(({ level }) => level === 'note').map(({ text }) => text)).toEqual([
    // The one difference between the pretend broker and the documents.
    '일봉 응답에 문서에 없는 값이 있습니다: prdy_ctrt. 디거는 읽지 않습니다.',
  ])
})

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0)

test('so many answers are seen, and so many not, as the decision says', () => {
  const all = Object.values<(typeof ANSWERS)[keyof typeof ANSWERS]>(ANSWERS)
  const byTheOtherParts = sum(all.map((one) => ('seenIn' in one ? one.answers : 0)))
  const notByReading = sum(all.map((one) => ('unseen' in one ? one.answers : 0)))
  expect({ bySimpleReading: seen.length, byTheOtherParts, notByReading }).toEqual({
    bySimpleReading: 25,
    byTheOtherParts: 6,
    notByReading: 21,
  })
  const record = readFileSync(join(import.meta.dirname, '../../../docs/decisions/058-doctor.md'), 'utf8')
  expect(record).toContain(
    `${seen.length + byTheOtherParts} are named (${seen.length} by reading, ${byTheOtherParts} by token, speed and socket); ${notByReading} cannot be seen`,
  )
})
