import { emptyBook, evolve, type Fact, type Stop } from '@digger/core'
import { SETTINGS } from '@digger/storage/testing'
import { expect, test } from 'vitest'
import { Bench, buying, CODE, issue, NOW } from '../../test/mailbox-bench.ts'
import { StopChanges } from './stop-changes.ts'

const OTHER = '000660'
const user = { kind: 'setStop', level: 'user', code: null } as const
const stock = { kind: 'setStop', level: 'stock', code: CODE } as const
const added: Fact = { kind: 'stockAdded', code: CODE, name: '삼성전자', issue, settings: SETTINGS, at: NOW }
const stopped = (stop: Stop): Fact => ({ kind: 'userStopped', stop, at: NOW })
const stockStopped = (stop: Stop, code = CODE): Fact => ({ kind: 'stockStopped', code, stop, at: NOW })
const limited: Fact = { kind: 'limitReached', limit: 'lossAmount', text: '', at: NOW }
const stockLimited: Fact = { kind: 'stockLimitReached', code: CODE, limit: 'repeatCount', text: '', at: NOW }
const blocked = { code: 'rejects', text: '', short: false, at: NOW } as const
const rejected: Fact = { kind: 'stockBlocked', code: CODE, blocked, at: NOW }

/** The account was read with one row, and these were written since: rows 2, 3 … */
function after(...facts: Fact[]) {
  const changes = new StopChanges({ seq: 1 })
  changes.written({ journal: facts.map((fact, n) => ({ user_id: 'u', seq: n + 2, at: fact.at, fact })) })
  return { changes, book: [added, ...facts].reduce(evolve, emptyBook('')) }
}

test.each<[string, Fact[], typeof user | typeof stock, Stop, seen: number | undefined, isLate: boolean]>([
  ['over the halt that was seen', [stopped('halt')], user, 'active', 2, false],
  ['over a later one', [stopped('halt')], user, 'active', 1, true],
  ['sell only in place of a later halt', [stopped('halt')], user, 'reduce', 1, true],
  ['as strict', [stopped('halt')], user, 'halt', 1, false],
  ['stricter', [stopped('reduce')], user, 'halt', 1, false],
  ['of which nothing is known', [stopped('halt')], user, 'active', undefined, false],
  ['where nothing is stopped', [stopped('halt'), stopped('active')], user, 'active', 1, false],
  ['over a later limit', [stopped('reduce'), limited], user, 'active', 2, true],
  ['over a stop of a stock, by the account', [stopped('halt'), stockStopped('halt')], user, 'active', 2, false],
  ['of a stock over a later one', [stockStopped('halt')], stock, 'active', 1, true],
  ['of a stock over one of the account', [stockStopped('halt'), stopped('halt')], stock, 'active', 2, false],
  ['of a stock over one of another', [stockStopped('halt'), stockStopped('halt', OTHER)], stock, 'active', 2, false],
  ['of a stock over its later limit', [stockStopped('reduce'), stockLimited], stock, 'active', 2, true],
  ['of a stock over a later block for rejects', [rejected], stock, 'active', 1, true],
  ['of a stock over the block that was seen', [rejected], stock, 'active', 2, false],
])('a stop %s', (_, facts, place, stop, seen, isLate) => {
  const { changes, book } = after(...facts)
  expect(changes.isLate({ ...place, stop, seen }, book)).toBe(isLate)
})

test('what is not known of an account that was read later counts as later', () => {
  const { changes, book } = after(stopped('halt'))
  changes.readAgain({ seq: 9 })
  expect([8, 9].map((seen) => changes.isLate({ ...user, stop: 'active', seen }, book))).toEqual([true, false])
  expect(new StopChanges({ seq: 2 }).isLate({ ...user, stop: 'active', seen: 1 }, book)).toBe(true)
})

test('asked in vain it changes nothing, and the stop of the account goes on to hold', async () => {
  const bench = await buying()
  const { seq } = bench
  await bench.mailbox.ask({ ...user, stop: 'halt' })
  const late = bench.mailbox.ask({ ...user, stop: 'active', seen: seq })
  await expect(late).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/그 사이/) })
  expect([bench.mailbox.book.stop, bench.seq, bench.refusal()]).toEqual(['halt', seq + 1, expect.any(String)])
  await bench.mailbox.ask({ ...user, stop: 'active', seen: bench.seq })
  expect(bench.mailbox.book.stop).toBe('active')
})

test('one that was done and is asked again under its key is answered, whatever came later', async () => {
  const bench = new Bench()
  const [named, seen] = [{ key: 'press-0123456789', call: 'c' }, bench.seq]
  const go = () => bench.mailbox.ask({ ...user, stop: 'active', seen }, named)
  await go()
  await bench.mailbox.ask({ ...user, stop: 'halt' })
  await expect(go()).resolves.toMatchObject({ ok: true })
  expect(bench.mailbox.book.stop).toBe('halt')
})
