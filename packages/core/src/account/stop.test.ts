import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { effectiveStop } from './gate.ts'

test.each([
  ['active', 'active', 'active', 'active'],
  ['reduce', 'active', 'active', 'reduce'],
  ['active', 'reduce', 'halt', 'halt'],
  ['halt', 'active', 'reduce', 'halt'],
] as const)('of %s, %s and %s the strictest counts: %s', (server, user, stock, effective) => {
  expect(effectiveStop(server, user, stock)).toBe(effective)
})

test.each(['server', 'user', 'stock'] as const)(
  'a halt by the %s holds back buys and resting sells, and letting go frees them',
  (level) => {
    const desk = new Desk()
    const set = (stop: 'halt' | 'active'): void => {
      if (level === 'server') desk.serverStop = stop
      else desk.ask({ kind: 'setStop', level, code: level === 'stock' ? CODE : null, stop })
    }
    set('halt')
    desk.hold([1, 2, 70_000]).timer()
    desk.price(60_000).cash(100)
    expect(desk.live).toEqual([])
    set('active')
    desk.quote(60_000).timer()
    expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended', '2 buy 3 @ 60000 of 2 intended'])
  },
)

test('reduce lets sells rest and holds back buys', () => {
  const desk = new Desk().hold([1, 2, 70_000])
  desk.ask({ kind: 'setStop', level: 'user', code: null, stop: 'reduce' })
  desk.timer().price(60_000).cash(100)
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
})
