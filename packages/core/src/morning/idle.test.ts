import { expect, test } from 'vitest'
import { CODE, Desk, ISSUE } from '../../test/desk.ts'
import { EXAMPLE } from '../../test/settings.ts'
import type { Stop } from '../account/types.ts'
import { morningIdle, type MorningIdle } from './idle.ts'

const OTHER = '000660'

/** Two stocks that are bought and sold by themselves. */
function two(): Desk {
  const desk = new Desk()
  const listing = { issue: { ...ISSUE, code: OTHER }, name: 'SK하이닉스' }
  desk.ask({ kind: 'updateStock', code: OTHER, version: null, settings: EXAMPLE, listing })
  return desk
}
const shadow = (desk: Desk, code: string | null) => desk.ask({ kind: 'setShadow', code, shadow: true })
const halt = (desk: Desk, level: 'user' | 'stock', code: string | null, stop: Stop = 'halt') =>
  desk.ask({ kind: 'setStop', level, code, stop })

test.each<[string, (desk: Desk) => unknown, MorningIdle | null]>([
  ['nothing holds anything', () => undefined, null],
  ['the server is stopped', (desk) => (desk.serverStop = 'halt'), 'halt'],
  ['its person has stopped it', (desk) => halt(desk, 'user', null), 'halt'],
  ['only its buys are stopped', (desk) => halt(desk, 'user', null, 'reduce'), null],
  ['the server only rehearses', (desk) => (desk.shadow = true), 'shadow'],
  ['stopped, and the server only rehearses', (desk) => ((desk.shadow = true), (desk.serverStop = 'halt')), 'halt'],
  ['all stocks are in the shadow', (desk) => shadow(desk, null), 'shadow'],
  ['one of two is', (desk) => shadow(desk, CODE), null],
  ['one of two is, the other stands still', (desk) => (shadow(desk, CODE), halt(desk, 'stock', OTHER)), 'shadow'],
  ['one of two is stopped', (desk) => halt(desk, 'stock', OTHER), null],
  ['each is stopped', (desk) => (halt(desk, 'stock', CODE), halt(desk, 'stock', OTHER)), 'halt'],
  [
    'the other is not traded automatically',
    (desk) => (shadow(desk, OTHER), desk.settings({ autoBuy: false, autoSell: false })),
    'shadow',
  ],
])('%s', (_name, change, expected) => {
  const desk = two()
  change(desk)
  expect(morningIdle(desk.account.book, { serverStop: desk.serverStop, shadow: desk.shadow })).toBe(expected)
})

test('an account without stocks is not held by anything', () =>
  expect(morningIdle({ stop: 'active', stocks: new Map() }, { serverStop: 'active' })).toBeNull())
