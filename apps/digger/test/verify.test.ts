import type { Fact } from '@digger/core'
import { expect, test, vi } from 'vitest'
import { loadOrCreate } from '@digger/storage'
import { startFixture } from '@digger/server/testing/vitest'
import { verifyAll } from '../src/verify.ts'

test('verify says who agrees with the journal, and where somebody does not', async () => {
  await using world = await startFixture()
  const { db, pool } = world.database
  expect(await verifyAll(db)).toEqual({ ok: true, lines: ['사용자가 없습니다.'] })

  for (const name of ['good', 'bad']) await loadOrCreate({ db, pool }, await world.addUser(name), world.clock.now())
  expect(await verifyAll(db)).toMatchObject({ ok: true, lines: { length: 2 } })

  const bad = await db.selectFrom('users').select('id').where('email', '=', 'bad@digger.test').executeTakeFirstOrThrow()
  await db.updateTable('account').set({ next_lot_id: 99 }).where('user_id', '=', bad.id).execute()
  const { ok, lines } = await verifyAll(db)
  expect(ok).toBe(false)
  expect(lines.filter((line) => line.startsWith('good@')).join()).toMatch(/장부가 같습니다/)
  expect(lines.join('\n')).toMatch(
    /bad@digger.test: 기록 1건과 장부가 1곳에서 다릅니다\.\n {2}account: .*"nextLotId":99/,
  )
})

test('verify replays what was rehearsed, and names the row that does not fit', async () => {
  await using world = await startFixture()
  const { db, pool } = world.database
  const userId = await world.addUser('one')
  await loadOrCreate({ db, pool }, userId, world.clock.now())
  const write = (seq: number, fact: Fact) =>
    db.insertInto('shadow_fact').values({ user_id: userId, seq, at: fact.at, fact }).execute()

  await write(1, { kind: 'dayOpened', day: '20261116', at: 1 })
  expect(await verifyAll(db)).toMatchObject({
    ok: true,
    lines: [/기록 1건과/, /그림자\(연습\) 기록 1건이/].map(matching),
  })

  await write(2, { kind: 'orderFilled', orderId: 7, count: 1, amount: 70_000, at: 2 })
  await write(4, { kind: 'userStopped', stop: 'halt', at: 3 })
  const { ok, lines } = await verifyAll(db)
  expect(ok).toBe(false)
  expect(lines).toEqual(
    [/기록 1건과 장부가 같습니다/, /2건까지 다시 읽었고, 2곳이/, /row 2, orderFilled: order 7/, /row 3 .* missing/].map(
      matching,
    ),
  )
})

test('a connection that breaks with one account ends the report of no other', async () => {
  await using world = await startFixture()
  const { db, pool } = world.database
  for (const name of ['one', 'two']) await loadOrCreate({ db, pool }, await world.addUser(name), world.clock.now())
  const begin = db.transaction.bind(db)
  let begun = 0
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    begun += 1
    // Of each account the real journal is read first, then the rehearsal's.
    if (begun === 2) vi.spyOn(pool, 'connect').mockRejectedValueOnce(new Error('the line is down'))
    return begin()
  })
  const { ok, lines } = await verifyAll(db)
  expect(ok).toBe(false)
  expect(lines).toEqual(
    [
      /장부가 같습니다/,
      /그림자\(연습\) 기록 0건까지 다시 읽었고, 1곳이/,
      /^ {2}the line is down$/,
      /장부가 같습니다/,
    ].map(matching),
  )
})

const matching = (text: RegExp): unknown => expect.stringMatching(text)
