import type { AccountCommand, AccountEvent } from './step-types.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventQueue } from './event-queue.ts'

const subscribe: AccountCommand = { kind: 'setSubscribed', code: '005930', subscribed: true }

const event: fc.Arbitrary<AccountEvent> = fc.oneof(
  fc.constant({ kind: 'timer' as const }),
  fc.constantFrom('000660', '005930').map((code) => ({ kind: 'price' as const, code })),
  fc.nat(1_000).map((orderId) => ({ kind: 'cancelDone' as const, orderId })),
  fc.nat(1_000).map((ticket) => ({ kind: 'command' as const, ticket, command: subscribe })),
)
type Act = { readonly kind: 'push' | 'putBack'; readonly event: AccountEvent } | { readonly kind: 'take' | 'drop' }
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('push' as const), event }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'take' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('putBack' as const), event }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'drop' as const }) },
)

/** What stands for itself however often it is pushed. */
const keyOf = (one: AccountEvent): string | null => {
  if (one.kind === 'price') return one.code
  return one.kind === 'timer' ? 'timer' : null
}

test('any sequence: nothing is lost, nothing overtakes, and a price or a timer that waits is not added again', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80, size: 'max' }), (acts) => {
      const queue = new EventQueue()
      let waiting: AccountEvent[] = []
      /** What came out, and what should have. */
      const taken: [unknown, unknown][] = []
      for (const one of acts) {
        switch (one.kind) {
          case 'take':
            taken.push([queue.take(), waiting.shift()])
            break
          case 'push': {
            queue.push(one.event)
            const key = keyOf(one.event)
            if (key === null || !waiting.some((other) => keyOf(other) === key)) waiting.push(one.event)
            break
          }
          case 'putBack':
            queue.putFirst(one.event)
            waiting.unshift(one.event)
            break
          case 'drop':
            taken.push([queue.dropCommands(), waiting.filter(({ kind }) => kind === 'command')])
            waiting = waiting.filter(({ kind }) => kind !== 'command')
        }
        expect(queue.length).toBe(waiting.length)
      }
      for (const [real, wanted] of taken) expect(real).toEqual(wanted)
      while (waiting.length > 0) expect(queue.take()).toBe(waiting.shift())
      expect(queue.take()).toBe(undefined)
    }),
  )
})

test('what is put first comes in the order given', () => {
  const queue = new EventQueue()
  queue.push({ kind: 'linked' })
  queue.putFirst({ kind: 'restarted', lateMs: 0 }, { kind: 'authorised', authorised: true })
  expect([queue.take()?.kind, queue.take()?.kind, queue.take()?.kind]).toEqual(['restarted', 'authorised', 'linked'])
})

test('commands taken out leave prices and timers as they were', () => {
  const queue = new EventQueue()
  queue.push({ kind: 'timer' })
  queue.push({ kind: 'command', ticket: 1, command: subscribe })
  queue.push({ kind: 'price', code: '005930' })
  expect(queue.dropCommands()).toEqual([{ kind: 'command', ticket: 1, command: subscribe }])
  queue.push({ kind: 'timer' })
  queue.push({ kind: 'price', code: '005930' })
  expect(queue.length).toBe(2)
})
