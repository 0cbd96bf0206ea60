import type { Db } from '@digger/database'
import { type TestDatabase, testDatabase, TestClock } from '@digger/database/testing'
import type { Trouble } from '@digger/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ONE_SERVER, ServerWatch } from '../../src/watch/server-watch.ts'
import { NOW, TestAccount } from '../outbox/fixture.ts'

let database: TestDatabase
let db: Db
let clock: TestClock
let [boss, second, user]: TestAccount[] = []
beforeAll(async () => {
  database = await testDatabase()
  ;({ db } = database)
  boss = await TestAccount.add(db, { admin: true })
  second = await TestAccount.add(db, { admin: true })
  user = await TestAccount.add(db)
})
beforeEach(async () => {
  clock = new TestClock(NOW)
  for (const table of ['notification', 'notification_alarm', 'worker'])
    await sql`delete from ${sql.table(table)}`.execute(db)
})
afterAll(() => database[Symbol.asyncDispose]())

const DOWN: Trouble = { code: 'lists', accounts: 1, text: '증권사가 답하지 않습니다.' }

class Process {
  troubles: Trouble[] = []
  broker: 'ok' | 'down' = 'ok'
  isSession = true
  reason: string | null = null
  isFirst = true
  readonly #watch: ServerWatch

  constructor(name = ONE_SERVER) {
    this.#watch = new ServerWatch({
      db,
      wall: clock,
      process: () => name,
      troubles: () => this.troubles,
      broker: () => this.broker,
      isSession: () => this.isSession,
      stopReason: () => this.reason,
      isFirst: () => this.isFirst,
    })
  }

  async watch(seconds: number, ...troubles: Trouble[]): Promise<void> {
    this.troubles = troubles
    for (let passed = 0; passed < seconds; passed += 5) {
      await this.#watch.look()
      clock.advance(5_000)
    }
  }
}
const texts = async (account = boss): Promise<string[]> => (await account?.texts()) ?? []
const worker = (id: string, seconds: number) =>
  sql`
  insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, until)
  values (${id}, '', 1, '', 1, '', '', '', now() + ${seconds} * interval '1 second')`.execute(db)

test('a trouble that lasts a minute calls each administrator and nobody else, once; then its end', async () => {
  const one = new Process()
  await one.watch(60, DOWN)
  expect(await texts()).toEqual([])
  await one.watch(120, DOWN, { ...DOWN, text: '같은 문제, 다른 말' })
  await one.watch(60)
  expect(await texts()).toEqual(['서버: 증권사가 답하지 않습니다.'])
  await one.watch(30)
  const all = ['서버: 증권사가 답하지 않습니다.', '서버: 알려 드린 문제가 해결되었습니다.']
  expect([await texts(boss), await texts(second), await texts(user)]).toEqual([all, all, []])
})

test('a broker that nobody can read is told while an exchange trades, and not at night', async () => {
  const one = new Process()
  one.broker = 'down'
  one.isSession = false
  await one.watch(300)
  expect(await texts()).toEqual([])
  one.isSession = true
  await one.watch(65)
  expect(await texts()).toEqual([expect.stringContaining('증권사의 목록을 어느 계좌도 읽지 못해')])
})

test('what heals within a minute is nothing, however often', async () => {
  const one = new Process()
  for (let n = 0; n < 5; n += 1) {
    await one.watch(55, DOWN)
    await one.watch(5)
  }
  expect(await texts()).toEqual([])
})

test('a stop of the whole server is said at once', async () => {
  const one = new Process()
  one.reason = '주문이 두 번 나갔습니다.'
  await one.watch(5)
  one.reason = null
  await one.watch(65)
  expect(await texts()).toEqual(['서버가 모든 매매를 멈췄습니다: 주문이 두 번 나갔습니다.', '서버: 멈춤이 풀렸습니다.'])
})

test('restarted it calls nobody again, and says the end when it is over', async () => {
  await new Process().watch(70, DOWN)
  await new Process().watch(200, DOWN)
  expect(await texts()).toHaveLength(1)
  await new Process().watch(65)
  expect(await texts()).toHaveLength(2)
})

test('each process has troubles of its own, and who is gone leaves its end to the first of the others', async () => {
  await worker('w1', 3_600)
  await worker('w2', 3_600)
  const [first, other] = [new Process('w1'), new Process('w2')]
  other.isFirst = false
  await Promise.all([first.watch(70, DOWN), other.watch(70, DOWN)])
  expect(await texts()).toHaveLength(2)
  await first.watch(65)
  expect(await texts()).toHaveLength(3)
  await sql`update worker set until = now() - interval '1 second' where id = 'w2'`.execute(db)
  await first.watch(10)
  expect((await texts()).slice(3)).toEqual([expect.stringMatching(/^서버: 문제를 알린 프로세스가 끝났습니다\./)])
  expect((await sql`select from notification_alarm`.execute(db)).rows).toEqual([])
})

test('the one server of a database is nobody that is gone', async () => {
  await new Process().watch(70, DOWN)
  await new Process('w1').watch(70)
  expect(await texts()).toHaveLength(1)
})

test('the clock is set back by an hour: who is to be called does not wait for it', async () => {
  const one = new Process()
  await one.watch(10, DOWN)
  clock.advance(-3_600_000)
  await one.watch(70, DOWN)
  expect(await texts()).toEqual(['서버: 증권사가 답하지 않습니다.'])
})

test('whoever is no administrator any more has nothing left to be called back for', async () => {
  await new Process().watch(70, DOWN)
  await sql`update users set digger_admin = false where id = ${second?.id}`.execute(db)
  await new Process().watch(70)
  await sql`update users set digger_admin = true where id = ${second?.id}`.execute(db)
  expect((await sql`select from notification_alarm`.execute(db)).rows).toEqual([])
  expect(await texts(second)).toHaveLength(1)
})
