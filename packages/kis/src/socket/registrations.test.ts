import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Registrations } from './registrations.ts'
import type { RegistrationMessage } from './control.ts'

const OF_KRX = () => 'KRX' as const
const show = (messages: RegistrationMessage[]): string[] => messages.map(({ type, trKey }) => `${type} ${trKey}`)
const answered = (message: RegistrationMessage, code = message.type === 'register' ? 'OPSP0000' : 'OPSP0001') => ({
  trId: message.trId,
  trKey: message.trKey,
  ok: code === 'OPSP0000' || code === 'OPSP0001',
  code,
  message: '',
})

test('a stock dropped while its registration is on the way is removed after the answer', () => {
  const registrations = new Registrations()
  registrations.setWanted(['000001'], OF_KRX)
  const [first] = registrations.nextMessages(0)
  registrations.setWanted([], OF_KRX)
  expect(registrations.nextMessages(1)).toEqual([])
  if (first) registrations.onAck(answered(first), 2)
  expect(show(registrations.nextMessages(3))).toEqual(['unregister 000001'])
})

test('a change of venue takes the old channel down before it puts the new one up', () => {
  const registrations = new Registrations()
  registrations.setWanted(['000001'], OF_KRX)
  for (const message of registrations.nextMessages(0)) registrations.onAck(answered(message), 0)
  registrations.setWanted(['000001'], () => 'NXT')
  const [down] = registrations.nextMessages(1)
  expect(down).toMatchObject({ type: 'unregister', trId: 'H0STCNT0' })
  if (down) registrations.onAck(answered(down), 2)
  const [up] = registrations.nextMessages(3)
  expect(up).toMatchObject({ type: 'register', trId: 'H0NXCNT0' })
  if (up) registrations.onAck(answered(up), 4)
  expect([registrations.liveSince('000001', 'NXT'), registrations.liveSince('000001', 'KRX')]).toEqual([4, null])
  registrations.reset()
  expect(registrations.liveSince('000001', 'NXT')).toBe(null)
})

test('a passing refusal is tried three times and then left', () => {
  const registrations = new Registrations()
  registrations.setWanted(['000001'], OF_KRX)
  let sent = 0
  for (let now = 0; now < 600_000; now += 1_000) {
    for (const message of registrations.nextMessages(now)) {
      sent += 1
      registrations.onAck(answered(message, 'OPSP0009'), now)
    }
  }
  expect(sent).toBe(3)
})

test('registrations nobody answers do not go on for ever', () => {
  const registrations = new Registrations()
  registrations.setWanted(['000001'], OF_KRX)
  let sent = 0
  let problems = 0
  for (let now = 0; now < 600_000; now += 1_000) {
    sent += registrations.nextMessages(now).length
    problems += registrations.expire(now, 10_000).length
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
        const registrations = new Registrations()
        const wire: RegistrationMessage[] = []
        const broker = new Set<string>()
        const send = (): void => void wire.push(...registrations.nextMessages(0))
        /** The broker answers the oldest message; a refused registration is not there. */
        const answer = (code: string | null): void => {
          const message = wire.shift()
          if (message === undefined) return
          const refused = message.type === 'register' && code !== null && code !== 'OPSP0002'
          if (message.type === 'unregister') broker.delete(message.trKey)
          else if (!refused) broker.add(message.trKey)
          expect(broker.size).toBeLessThanOrEqual(40)
          registrations.onAck(
            message.type === 'register' && code !== null ? answered(message, code) : answered(message),
            0,
          )
          send()
        }
        for (const one of steps) {
          if (one.kind === 'want') {
            registrations.setWanted(one.codes, OF_KRX)
            send()
          } else answer(one.code)
        }
        registrations.setWanted([], OF_KRX)
        send()
        while (wire.length > 0) answer(null)
        registrations.setWanted(last, OF_KRX)
        send()
        while (wire.length > 0) answer(null)
        expect([...registrations.live].sort()).toEqual(last.slice(0, 40).sort())
        expect(broker).toEqual(new Set(registrations.live))
      },
    ),
  ))
