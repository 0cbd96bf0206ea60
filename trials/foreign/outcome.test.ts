import { describe, expect, test } from 'vitest'
import { KNOWN } from './known.ts'
import { judged, summary, table, type Known, type Outcome } from './outcome.ts'

const known: readonly Known[] = [
  { client: /^one$/, call: /sell/, shows: /too many/, verdict: 'right refusal', why: 'holds fewer' },
]

describe('a call', () => {
  test.each([
    ['that came back works', 'one', { call: 'buy', ok: true, detail: 'done' }, 'works', 'done'],
    ['known to be refused', 'one', { call: 'sell all', ok: false, detail: 'too many' }, 'right refusal', 'holds fewer'],
    ['refused for another reason', 'one', { call: 'sell all', ok: false, detail: 'closed' }, 'FAILS', 'closed'],
    ['of another client', 'two', { call: 'sell all', ok: false, detail: 'too many' }, 'FAILS', 'too many'],
    [
      'expected to be refused that works',
      'one',
      { call: 'sell all', ok: true, detail: 'too many' },
      'works',
      'too many',
    ],
  ])('%s', (_name, client, report, verdict, detail) => {
    expect(judged(client, report, known)).toEqual({ client, call: report.call, verdict, detail })
  })
})

const outcomes: Outcome[] = [
  { client: 'one', call: '잔고', verdict: 'works', detail: '' },
  { client: 'one', call: 'buy', verdict: 'FAILS', detail: 'x'.repeat(300) },
  { client: 'two', call: 'sell', verdict: 'own fault', detail: 'wrong path' },
]

test('the table keeps its columns beside Hangul, and long details are cut', () => {
  expect(table(outcomes).split('\n')).toEqual([
    'one  잔고  works          ',
    `one  buy   FAILS          ${'x'.repeat(110)}`,
    'two  sell  own fault      wrong path',
  ])
})

test('the summary counts each client’s calls', () => {
  expect(summary(outcomes)).toBe(
    [
      'one: 2 calls: 1 works, 0 right refusal, 0 own fault, 0 not imitated, 1 FAILS',
      'two: 1 calls: 0 works, 0 right refusal, 1 own fault, 0 not imitated, 0 FAILS',
    ].join('\n'),
  )
})

test('every known refusal says why', () => {
  for (const { why } of KNOWN) expect(why).not.toBe('')
})
