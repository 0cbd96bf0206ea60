import {
  asLoaded,
  inputText,
  kstInstant,
  newAccount,
  playIncident,
  recording,
  step,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Context,
  type Fact,
} from '@digger/core'
import { KERNEL_LEASE } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_ACCOUNT_LIMITS } from '../test/limits.ts'
import { SETTINGS } from '../test/settings.ts'
import { bookBefore, decisionOf, incidentOf } from './black-box.ts'
import { Committer } from './committer.ts'
import { loadOrCreate } from './load.ts'
import { changesOf } from './rows-of.ts'
import { verifyAccount } from './verify.ts'

const USER = 'blackboxblackb'
const MONDAY = kstInstant('20260105', 100_000)
const TUESDAY = kstInstant('20260106', 100_000)

let database: TestDatabase
let account: Account
let seq: number
let epoch: number
let loaded: number
let tickets = 0

beforeAll(async () => {
  database = await testDatabase()
  const rest = { account_masked: '****1234', account_mark: Buffer.from(USER), digger_admin: false, bank_balance: 0 }
  await database.db
    .insertInto('users')
    .values({ id: USER, email: 'somebody@example.com', password_hash: 'x', created_at: MONDAY, ...rest })
    .execute()
  await read()
  await add('069500', MONDAY)
  await add('005930', MONDAY)
})
afterAll(() => database[Symbol.asyncDispose]())

async function read(): Promise<void> {
  const tables = await loadOrCreate(database, USER, MONDAY)
  account = newAccount(tables.book)
  seq = tables.seq
  epoch = tables.epoch
  loaded = seq
}

/** Decides and commits as a mailbox does. `kept`: with what the decision looked at. */
async function decide(event: AccountEvent, now: number, kept = true): Promise<readonly Fact[]> {
  const timetable = { hours: 'krx', closed: new Set(['20260101']), special: new Map() } as const
  const market: Context = {
    now,
    env: 'real',
    timetable,
    limits: NO_ACCOUNT_LIMITS,
    serverStop: 'active',
    quote: () => undefined,
  }
  const { context, quotes } = recording(market)
  const next = step(account, event, context)
  const input = kept ? inputText(account, event, context, quotes, loaded) : null
  await new Committer(database.pool, KERNEL_LEASE).commit(
    changesOf(USER, { seq, epoch }, next.facts, next.account.book, input),
  )
  account = next.account
  seq += next.facts.length
  return next.facts
}

const ask = (command: AccountCommand, now: number, kept = true) =>
  decide({ kind: 'command', ticket: (tickets += 1), command }, now, kept)

function add(code: string, now: number) {
  const issue = { code, kind: 'stock', market: 'KOSPI', nxt: false } as const
  const settings = { ...SETTINGS, lastBuyPrice: null }
  return ask({ kind: 'updateStock', code, version: null, settings, listing: { issue, name: code } }, now)
}

const stop = (level: 'reduce' | 'halt', now: number, kept = true) =>
  ask({ kind: 'setStop', level: 'user', code: null, stop: level }, now, kept)

test('the book before a decision is the one it was made on, also its order of stocks', async () => {
  const { seq: before } = { seq }
  expect([...account.book.stocks.keys()]).toEqual(['069500', '005930'])
  await stop('reduce', MONDAY)
  expect([...(await bookBefore(database.db, USER, before + 1, loaded)).stocks.keys()]).toEqual(['069500', '005930'])
  const { book } = account
  await read()
  expect([...account.book.stocks.keys()]).toEqual(['005930', '069500'])
  expect(account.book).toEqual(asLoaded(book))
  expect(await bookBefore(database.db, USER, seq + 1, loaded)).toEqual(account.book)
  expect([...(await bookBefore(database.db, USER, seq + 1, loaded)).stocks.keys()]).toEqual(['005930', '069500'])
})

test('facts without an input, as earlier versions wrote them, are found and played as they are', async () => {
  await stop('halt', MONDAY, false)
  expect(await decisionOf(database.db, USER, seq)).toMatchObject({ seq, input: null, facts: [{ stop: 'halt' }] })
  expect(await decisionOf(database.db, USER, seq + 1)).toBe(null)
  expect((await verifyAccount(database.db, USER)).differences).toEqual([])
})

test('a day is an incident of its own, with the book of the day before it', async () => {
  await stop('reduce', TUESDAY)
  await read()
  await stop('halt', TUESDAY + 1_000)
  const tuesday = await incidentOf(database.db, USER, '20260106', '0.1.0')
  if (tuesday === null) throw new Error('something happened on Tuesday')
  expect(tuesday.book).toMatchObject({ day: '20260105', stop: 'halt' })
  expect(tuesday.steps.map(({ facts }) => facts.map(({ kind }) => kind))).toEqual([
    ['dayOpened', 'userStopped'],
    ['userStopped'],
  ])
  expect(playIncident(tuesday)).toMatchObject({ decided: 2, divergence: null, account: { book: account.book } })
  const monday = await incidentOf(database.db, USER, '20260105', '0.1.0')
  expect(monday?.book.day).toBe('')
  expect(monday?.steps.map(({ input }) => input !== null)).toEqual([false, true, true, true, false])
  expect(await incidentOf(database.db, USER, '20260107', '0.1.0')).toBe(null)
})

test('words that jsonb refuses keep no order from being written', async () => {
  await decide({ kind: 'authorised', authorised: true }, TUESDAY + 2_000)
  await decide({ kind: 'snapshotFailed', text: 'HTTP 500 \u0000 \ud800' }, TUESDAY + 3_000)
  const facts = await stop('reduce', TUESDAY + 4_000)
  const one = await decisionOf(database.db, USER, seq)
  expect(one).toMatchObject({ facts, input: { view: { readSchedule: { failure: 'HTTP 500 \u0000 \ud800' } } } })
})

test('what is written beside the facts is what the decision needs, and no more', async () => {
  await stop('halt', TUESDAY + 5_000)
  const one = await decisionOf(database.db, USER, seq)
  expect(one?.input?.context).toMatchObject({ closed: [], special: [], quotes: [] })
})
