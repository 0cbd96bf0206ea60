import { expect, test } from 'vitest'
import { type Call, calls, type CallName, paths } from '../calls.ts'

const names = Object.keys(paths).filter((name): name is CallName => name in paths)
const markOf = (name: CallName): Call['tokens'] => {
  const call: Call = calls[name]
  return call.tokens
}
const marked = (mark: Call['tokens']) => names.filter((name) => markOf(name) === mark)

test('a token that reads changes nothing: every call it may make is a GET of its person’s own account', () => {
  const reading = marked('read')
  expect(reading.length).toBeGreaterThan(20)
  expect(reading.filter((name) => paths[name][0] !== 'GET')).toEqual([])
  expect(reading.filter((name) => calls[name].access !== 'owner')).toEqual([])
})

test('a token that stops may make these calls besides, of which one is judged by what it asks', () => {
  expect(marked('stop').toSorted()).toEqual(['cancelOrder', 'cancelOrders', 'setStop', 'stopAll'])
})

test('no token sees or changes how somebody logs in, other tokens, keys, or where notifications go', () => {
  const apart =
    /session|factor|passkey|totp|code|stepup|proof|token|credential|password|login|channel|stoplink|admin|bulk/i
  const open = names.filter((name) => markOf(name) !== undefined && apart.test(name))
  expect(open).toEqual([])
})

test('the secret is shown once: no other reply has a place for it', () => {
  expect(Object.keys(calls.makeApiToken.reply.shape)).toContain('secret')
  expect(calls.apiTokens.reply.element.shape).not.toHaveProperty('secret')
})

test.each([
  [{ name: 'x', scope: 'read' }, true],
  [{ name: 'x', scope: 'stop', days: 7 }, true],
  [{ name: '', scope: 'read' }, false],
  [{ name: 'x'.repeat(41), scope: 'read' }, false],
  [{ name: 'x', scope: 'trade' }, false],
  [{ name: 'x', scope: 'read', days: 8 }, false],
])('a token of %j may be asked for: %s', (body, expected) => {
  expect(calls.makeApiToken.body.safeParse(body).success).toBe(expected)
})
