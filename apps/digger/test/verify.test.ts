import { expect, test } from 'vitest'
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
