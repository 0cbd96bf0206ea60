import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Registry } from './registry.ts'
import type { Registration } from './control.ts'

const show = (messages: Registration[]): string[] => messages.map(({ type, trKey }) => `${type} ${trKey}`)
const answered = (message: Registration, code = message.type === 'register' ? 'OPSP0000' : 'OPSP0001') => ({
  trId: message.trId,
  trKey: message.trKey,
  ok: code === 'OPSP0000' || code === 'OPSP0001',
  code,
  message: '',
})

test('a stock dropped while its registration is on the way is removed after the answer', () => {
  const registry = new Registry(() => 'KRX')
  registry.want(['000001'])
  const [first] = registry.next(0)
  registry.want([])
  expect(registry.next(1)).toEqual([])
  if (first) registry.acked(answered(first), 2)
  expect(show(registry.next(3))).toEqual(['unregister 000001'])
})

test('a change of venue takes the old channel down before it puts the new one up', () => {
  let channel: 'KRX' | 'NXT' = 'KRX'
  const registry = new Registry(() => channel)
  registry.want(['000001'])
  for (const message of registry.next(0)) registry.acked(answered(message), 0)
  channel = 'NXT'
  registry.want(['000001'])
  const [down] = registry.next(1)
  expect(down).toMatchObject({ type: 'unregister', trId: 'H0STCNT0' })
  if (down) registry.acked(answered(down), 2)
  expect(registry.next(3)).toMatchObject([{ type: 'register', trId: 'H0NXCNT0' }])
})

test('a passing refusal is tried three times and then left', () => {
  const registry = new Registry(() => 'KRX')
  registry.want(['000001'])
  let sent = 0
  for (let now = 0; now < 600_000; now += 1_000) {
    for (const message of registry.next(now)) {
      sent += 1
      registry.acked(answered(message, 'OPSP0009'), now)
    }
  }
  expect(sent).toBe(3)
})

test('registrations nobody answers do not go on for ever', () => {
  const registry = new Registry(() => 'KRX')
  registry.want(['000001'])
  let sent = 0
  let problems = 0
  for (let now = 0; now < 600_000; now += 1_000) {
    sent += registry.next(now).length
    problems += registry.expire(now, 10_000).length
  }
  expect([sent, problems]).toEqual([3, 3])
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('want' as const), codes: fc.subarray(Array.from({ length: 60 }, (_, i) => `c${i}`)) }),
  fc.record({ kind: fc.constant('answer' as const), code: fc.constantFrom(null, 'OPSP0002', 'OPSP0008', 'OPSP8992') }),
)

test('whatever is wanted and answered: never more than 40 at the broker, and in the end exactly what was wanted', () =>
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.subarray(Array.from({ length: 60 }, (_, i) => `c${i}`)),
      (steps, last) => {
        const registry = new Registry(() => 'KRX')
        const wire: Registration[] = []
        const broker = new Set<string>()
        const send = (): void => void wire.push(...registry.next(0))
        /** The broker answers the oldest message; a refused registration is not there. */
        const answer = (code: string | null): void => {
          const message = wire.shift()
          if (message === undefined) return
          const refused = message.type === 'register' && code !== null && code !== 'OPSP0002'
          if (message.type === 'unregister') broker.delete(message.trKey)
          else if (!refused) broker.add(message.trKey)
          expect(broker.size).toBeLessThanOrEqual(40)
          registry.acked(message.type === 'register' && code !== null ? answered(message, code) : answered(message), 0)
          send()
        }
        for (const one of steps) {
          if (one.kind === 'want') {
            registry.want(one.codes)
            send()
          } else answer(one.code)
        }
        registry.want([])
        send()
        while (wire.length > 0) answer(null)
        registry.want(last)
        send()
        while (wire.length > 0) answer(null)
        expect([...registry.live].sort()).toEqual(last.slice(0, 40).sort())
        expect(broker).toEqual(new Set(registry.live))
      },
    ),
  ))
