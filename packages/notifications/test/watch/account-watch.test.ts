import { type Attention, type AttentionKind, emptyBook } from '@digger/core'
import type { Db } from '@digger/database'
import { sharedDatabase, TestClock } from '@digger/database/testing'
import type { AccountAttention } from '@digger/engine'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { AccountWatch } from '../../src/watch/account-watch.ts'
import { NOW, TestAccount } from '../outbox/fixture.ts'

let db: Db
let account: TestAccount
let clock: TestClock
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})
beforeEach(async () => {
  account = await TestAccount.add(db)
  clock = new TestClock(NOW)
})

const endOf = ({ kind, subject }: Pick<Attention, 'kind' | 'subject'>): string => `${kind} ${subject} 풀림`

/** A process that has the account; `found` is what the account calls its person for. */
class Process {
  found: Attention[] = []
  isLoaded = true
  shards: readonly number[] = account.shards
  readonly #watch = new AccountWatch({
    db,
    wall: clock,
    shards: () => this.shards,
    attention: () => (this.isLoaded ? [this.#attention] : []),
    problem: (_userId, error) => {
      throw error
    },
  })

  get #attention(): AccountAttention {
    return { userId: account.id, book: emptyBook('20261116'), found: this.found, endOf }
  }

  /** Looks every five seconds for so long, and in between nothing changes. */
  async watch(seconds: number, ...found: Attention[]): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      this.found = found.map((one) => ({ ...one, forMs: one.forMs + passed * 1_000 }))
      await this.#watch.look()
      clock.advance(5_000)
    }
  }
}

const late = (seconds = 0, subject = 'buy 005930'): Attention => {
  const text = `늦습니다 ${subject}`
  return { kind: 'orderLate', subject, code: '005930', forMs: seconds * 1_000, text }
}
const stopped: Attention = { ...late(0, '005930'), kind: 'stockStopped', text: '멈췄습니다' }
const END = 'orderLate buy 005930 풀림'
const LATE = '늦습니다 buy 005930'

const raised = async (): Promise<string[]> =>
  (
    await sql<{
      one: string
    }>`select kind || ' ' || subject as one from notification_alarm where user_id = ${account.id} order by 1`.execute(
      db,
    )
  ).rows.map(({ one }) => one)

test('called after its patience, once; told the end after a minute, once', async () => {
  const one = new Process()
  await one.watch(30, late(0))
  expect(await account.texts()).toEqual([])
  await one.watch(300, late(30))
  expect(await account.texts()).toEqual([LATE])
  expect(await raised()).toEqual(['orderLate buy 005930'])
  await one.watch(60)
  expect(await account.texts()).toEqual([LATE])
  await one.watch(60)
  expect(await account.texts()).toEqual([LATE, END])
  expect(await raised()).toEqual([])
})

test('what heals within its patience is nothing; what needs no patience is said at once', async () => {
  const one = new Process()
  await one.watch(25, late(0))
  await one.watch(120)
  await one.watch(5, stopped)
  expect(await account.texts()).toEqual(['멈췄습니다'])
})

test('it comes and goes: one call, and one all-clear', async () => {
  const one = new Process()
  for (let n = 0; n < 10; n += 1) {
    await one.watch(35, late(0))
    await one.watch(55)
  }
  await one.watch(60)
  expect(await account.texts()).toEqual([LATE, END])
})

test('again on another day: called again', async () => {
  const one = new Process()
  await one.watch(5, late(30))
  await one.watch(65)
  await one.watch(5, late(30))
  await one.watch(65)
  expect(await account.texts()).toEqual([LATE, END, LATE, END])
})

test('a restart calls nobody again, and a new process tells the end of what another called for', async () => {
  await new Process().watch(40, late(30), stopped)
  await new Process().watch(40, late(0), stopped)
  const last = new Process()
  await last.watch(60, stopped)
  expect(await account.texts()).toEqual([LATE, '멈췄습니다'])
  await last.watch(10, stopped)
  expect(await account.texts()).toEqual([LATE, '멈췄습니다', END])
})

test("an account that is not loaded yet, or is another process', says nothing: its alarms stay", async () => {
  const one = new Process()
  await one.watch(5, late(30))
  one.isLoaded = false
  await one.watch(300)
  const stranger = new Process()
  stranger.shards = []
  await stranger.watch(300)
  expect(await account.texts()).toEqual([LATE])
  expect(await raised()).toEqual(['orderLate buy 005930'])
})

test('two processes that both believe to have the account call once, and say the end once', async () => {
  const both = [new Process(), new Process()]
  for (let n = 0; n < 4; n += 1) await Promise.all(both.map((one) => one.watch(5, late(30), stopped)))
  expect((await account.texts()).toSorted()).toEqual([LATE, '멈췄습니다'].toSorted())
  for (let n = 0; n < 14; n += 1) await Promise.all(both.map((one) => one.watch(5)))
  expect(await account.texts()).toHaveLength(4)
  expect(await raised()).toEqual([])
})

test("what a version to come has raised stays for it, and what is a server's is no account's", async () => {
  await sql`insert into notification_alarm (user_id, kind, subject, raised_at) values (${account.id}, 'newKind', 'x', 0)`.execute(
    db,
  )
  await sql`insert into notification_alarm (user_id, kind, subject, raised_at, process)
    values (${account.id}, 'stockStopped', '005930', 0, 'server')`.execute(db)
  const one = new Process()
  await one.watch(5, stopped)
  await one.watch(120)
  expect(await account.texts()).toEqual(['멈췄습니다', 'stockStopped 005930 풀림'])
  expect(await raised()).toEqual(['newKind x', 'stockStopped 005930'])
})

test('several at a time end each for itself', async () => {
  const one = new Process()
  const kinds: AttentionKind[] = ['stockStopped', 'limitReached', 'otherServer']
  const all = kinds.map((kind): Attention => ({ ...stopped, kind, text: kind }))
  await one.watch(10, ...all)
  await one.watch(70, ...all.slice(1))
  await one.watch(70, ...all.slice(2))
  expect(await account.texts()).toEqual([...kinds, 'stockStopped 005930 풀림', 'limitReached 005930 풀림'])
})

test('an account that comes back is not over because it was away here, long ago', async () => {
  const one = new Process()
  await one.watch(5, late(30))
  await one.watch(10)
  one.isLoaded = false
  await one.watch(600)
  one.isLoaded = true
  // Its ages begin anew here: at the first look nothing lasts yet.
  await one.watch(10)
  await one.watch(30, late(30))
  expect(await account.texts()).toEqual([LATE])
})

const stoppedOf = (userId: string): AccountAttention => ({
  userId,
  book: emptyBook('20261116'),
  found: [stopped],
  endOf,
})

test('one account that cannot be written keeps the call from nobody else', async () => {
  const gone = await TestAccount.add(db)
  await sql`delete from users where id = ${gone.id}`.execute(db)
  const problems: unknown[] = []
  const watch = new AccountWatch({
    db,
    wall: clock,
    shards: () => [...gone.shards, ...account.shards],
    attention: () => [stoppedOf(gone.id), stoppedOf(account.id)],
    problem: (userId) => problems.push(userId),
  })
  await watch.look()
  expect([await account.texts(), problems]).toEqual([['멈췄습니다'], [gone.id]])
})
