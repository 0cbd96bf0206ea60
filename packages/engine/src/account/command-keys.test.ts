import { LostAnswer } from '@digger/contract'
import type { Account, Fact, Step } from '@digger/core'
import { expect, test } from 'vitest'
import { CODE, MailboxFixture, NOW } from '../../test/mailbox-fixture.ts'
import { orderOf } from '../../test/orders.ts'
import { CommandKeys, namedOf } from './command-keys.ts'

const KEY = { key: 'press-0123456789' }
const keep = { kind: 'keepShares', code: CODE, count: 3 } as const
const named = { key: KEY.key, call: 'hash' }
const row = (key: string, answer: string | null, at = NOW) => ({ user_id: 'user', key, call: 'hash', at, answer })
const keysOf = (...rows: ReturnType<typeof row>[]): CommandKeys => {
  const keys = new CommandKeys()
  keys.load(rows)
  return keys
}

test('a command whose commit lost its answer is found when it is asked again, and not done twice', async () => {
  const { mailbox, ...fixture } = await settled()
  const asked = namedOf(KEY, keep)
  fixture.loseOne()
  await expect(mailbox.ask(keep, asked)).rejects.toThrow(LostAnswer)
  // The account is read again first.
  await expect(mailbox.ask(keep, asked)).resolves.toMatchObject({ ok: true })
  expect(fixture.journal.filter(({ kind }) => kind === 'sharesKept')).toHaveLength(1)
})

test('what waited for the account to be read again under a key that stands for something else is refused', async () => {
  const { mailbox, ...fixture } = await settled()
  fixture.loseOne()
  await expect(mailbox.ask(keep, namedOf(KEY, keep))).rejects.toThrow(LostAnswer)
  const other = { ...keep, count: 4 }
  await expect(mailbox.ask(other, namedOf(KEY, other))).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(mailbox.ask(other)).resolves.toMatchObject({ ok: true })
})

async function settled() {
  const fixture = new MailboxFixture()
  await fixture.mailbox.idle()
  const { mailbox, journal } = fixture
  return { mailbox, journal, loseOne: () => void (fixture.lostAnswers = 1) }
}

test('a sale of which a part was placed is not begun again', () => {
  expect(keysOf(row(KEY.key, null)).resultOf(named)).toMatchObject({ ok: false, code: 'CONFLICT' })
})

test('the answer is kept as it was given, and only for the same call', () => {
  const answer = { ok: true, orderIds: [7], differences: [] } as const
  const keys = keysOf(row(KEY.key, JSON.stringify(answer)))
  expect([keys.resultOf(named), keys.resultOf({ ...named, key: 'another' })]).toEqual([answer, null])
  expect(keys.resultOf({ ...named, call: 'another' })).toMatchObject({ ok: false, code: 'CONFLICT' })
})

/** A step with these facts, after which a sale waits that has placed so many orders, or has this result. */
const stepOf = (facts: readonly Fact[], placed: number | null, result?: Step['effects'][number]): Step => ({
  account: accountWith(placed),
  facts,
  effects: result === undefined ? [] : [result],
})
const fixture = new MailboxFixture()
function accountWith(placed: number | null): Account {
  const { account } = fixture.mailbox
  const orderIds = Array.from({ length: placed ?? 0 }, (_, n) => n)
  const sale = {
    ticket: 1,
    code: CODE,
    lotIds: [],
    how: 'market',
    price: 0,
    slices: 1,
    kept: 0,
    until: 0,
    unplaced: [],
    orderIds,
  } as const
  const orders = { ...account.view.orders, pendingSales: placed === null ? [] : [sale] }
  return { ...account, view: { ...account.view, orders } }
}
const sold: Fact = { kind: 'orderIntended', at: NOW, order: orderOf({ origin: 'person' }) }
const stopped: Fact = { kind: 'userStopped', at: NOW, stop: 'halt' }
const refusal = {
  kind: 'commandResult',
  ticket: 1,
  result: { ok: false, code: 'BUSY', text: '나중에' },
} as const

test.each<[name: string, before: number | null, step: Step, answers: (string | null)[]]>([
  ['a sale that has placed its first order', 0, stepOf([sold], 1), [null]],
  ['one that waits on', 1, stepOf([stopped], 1), []],
  ['a refusal beside facts of others', 0, stepOf([stopped], null, refusal), []],
  ['a refusal after a part was placed', 0, stepOf([sold], null, refusal), [JSON.stringify(refusal.result)]],
])('%s', (_name, before, step, answers) => {
  const rows = new CommandKeys().rowsOf(accountWith(before), step, (ticket) => (ticket === 1 ? named : undefined))
  expect(rows.map(({ answer }) => answer)).toEqual(answers)
  expect(new CommandKeys().rowsOf(accountWith(before), step, () => undefined)).toEqual([])
})

const opened = (at: number): Fact[] => [{ kind: 'dayOpened', day: '20261120', at }]

test('keys go after three days with the first facts of a day, and the older half where there are too many', () => {
  const day = 86_400_000
  const keys = keysOf(row('a', null, NOW), row('b', null, NOW + day))
  expect([keys.expired(opened(NOW + 2 * day)), keys.expired([{ ...stopped, at: NOW + 9 * day }])]).toEqual([[], []])
  const [expired] = keys.expired(opened(NOW + 3 * day + 1))
  expect(expired).toEqual({ before: NOW + 1 })
  keys.written({ expiredKeys: [{ user_id: 'user', before: NOW + 1 }], commandKeys: [] })
  expect([keys.has('a'), keys.has('b')]).toEqual([false, true])
  const many = keysOf(...Array.from({ length: 1_000 }, (_, n) => row(`k${n}`, null, NOW + n)))
  expect(many.expired([stopped])).toEqual([{ before: NOW + 500 }])
})
