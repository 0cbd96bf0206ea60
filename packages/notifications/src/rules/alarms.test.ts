import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { alarmKey, judgeAlarms, type Lasting, OVER_AFTER_MS } from './alarms.ts'

const lasting = (subject: string, forMs: number, patienceMs = 30_000): Lasting => ({
  kind: 'orderLate',
  subject,
  forMs,
  patienceMs,
})

/** People who are called and are told the end, as the table of raised alarms remembers it. */
class Caller {
  readonly messages: string[] = []
  raised: { kind: string; subject: string }[] = []
  away = new Map<string, number>()

  look(now: number, ...found: Lasting[]): this {
    const { begin, end } = judgeAlarms(found, this.raised, this.away, now)
    for (const { kind, subject } of begin) {
      this.messages.push(`${now / 1_000}: ${subject}`)
      this.raised.push({ kind, subject })
    }
    for (const one of end) {
      this.messages.push(`${now / 1_000}: end of ${one.subject}`)
      this.raised = this.raised.filter((other) => other !== one)
    }
    return this
  }

  /** A new process knows the table only. */
  restart(): this {
    this.away = new Map()
    return this
  }
}

test.each<[string, (caller: Caller) => Caller, string[]]>([
  ['a ms before its patience is over', (caller) => caller.look(0, lasting('A', 29_999)), []],
  ['as its patience is over', (caller) => caller.look(0, lasting('A', 30_000)), ['0: A']],
  ['without patience', (caller) => caller.look(0, lasting('A', 0, 0)), ['0: A']],
  [
    'healed within its patience: nothing at all',
    (caller) => caller.look(0, lasting('A', 29_999)).look(5_000).look(200_000),
    [],
  ],
  [
    'called once, however long it lasts',
    (caller) => caller.look(0, lasting('A', 30_000)).look(5_000, lasting('A', 35_000)).look(9e6, lasting('A', 9e6)),
    ['0: A'],
  ],
  [
    'over only after it has been away for a minute',
    (caller) => caller.look(0, lasting('A', 30_000)).look(5_000).look(64_999).look(65_000).look(200_000),
    ['0: A', '65: end of A'],
  ],
  [
    'it comes and goes: one call and one all-clear',
    (caller) =>
      caller
        .look(0, lasting('A', 30_000))
        .look(5_000)
        .look(64_999, lasting('A', 1))
        .look(65_000)
        .look(124_999, lasting('A', 0, 0))
        .look(130_000)
        .look(190_000),
    ['0: A', '190: end of A'],
  ],
  [
    'back after its end: called anew, when it has lasted again',
    (caller) =>
      caller
        .look(0, lasting('A', 30_000))
        .look(1_000)
        .look(61_000)
        .look(62_000, lasting('A', 500))
        .look(92_000, lasting('A', 30_500)),
    ['0: A', '61: end of A', '92: A'],
  ],
  [
    'two of a kind end each for itself',
    (caller) =>
      caller
        .look(0, lasting('A', 3e4), lasting('B', 3e4))
        .look(1_000, lasting('B', 4e4))
        .look(61_000, lasting('B', 9e4)),
    ['0: A', '0: B', '61: end of A'],
  ],
  [
    'restarted while it lasts: not called again',
    (caller) =>
      caller.look(0, lasting('A', 30_000)).restart().look(10_000, lasting('A', 1)).look(50_000, lasting('A', 3e4)),
    ['0: A'],
  ],
  [
    'restarted when it was over: a minute from then, one all-clear',
    (caller) => caller.look(0, lasting('A', 30_000)).look(59_000).restart().look(60_000).look(119_999).look(120_000),
    ['0: A', '120: end of A'],
  ],
  [
    'the clock is set back while it is away: the minute is longer, and it ends',
    (caller) =>
      caller
        .look(7.2e6, lasting('A', 30_000))
        .look(7.2e6 + 5_000)
        .look(3.6e6)
        .look(7.2e6 + 65_000),
    ['7200: A', '7265: end of A'],
  ],
])('%s', (_name, run, messages) => expect(run(new Caller()).messages).toEqual(messages))

test('what nobody was called for is forgotten', () => {
  const away = new Map([['orderLate A', 0]])
  judgeAlarms([], [], away, 1_000)
  expect(away.size).toBe(0)
})

test('whatever comes and goes: calls and ends take turns, and nothing is called in its patience', () => {
  const step = fc.record({ ms: fc.integer({ min: 1, max: 90_000 }), isThere: fc.boolean(), isNew: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const caller = new Caller()
      let [now, since] = [0, 0]
      for (const { ms, isThere, isNew } of steps) {
        now += ms
        if (!isThere) since = now
        if (isNew) caller.restart()
        const before = caller.messages.length
        caller.look(now, ...(isThere ? [lasting('A', now - since)] : []))
        const called = caller.messages.slice(before).some((text) => !text.includes('end'))
        expect(!called || now - since >= 30_000).toBe(true)
      }
      const kinds = caller.messages.map((text) => text.includes('end'))
      expect(kinds).toEqual(kinds.map((_, index) => index % 2 === 1))
    }),
  )
})

test('a key names kind and subject', () => {
  expect(alarmKey(lasting('buy 005930', 0))).toBe('orderLate buy 005930')
  expect(OVER_AFTER_MS).toBe(60_000)
})
