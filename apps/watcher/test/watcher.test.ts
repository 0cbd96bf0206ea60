import { setTimeout as delay } from 'node:timers/promises'
import { SETTINGS } from '@digger/engine/testing'
import { expect, test, vi } from 'vitest'
import { BASE, CODES, SOON, TWICE, Watched } from './watched.ts'

const watched = new Watched()

test('halts at once when one order was delivered twice; nothing leaves from then on, and a person lets go once', async () => {
  const { sim, server } = watched.stage
  sim.faults.add({ kind: 'doubleRequest', endpoint: 'orderBuy', times: 1 })
  const before = watched.orders(0).length
  await watched.person(0).call('POST', `/api/user/stock/${TWICE}`, { ...SETTINGS, lastBuyPrice: BASE })
  await vi.waitFor(
    () => expect(server.engine.socket(watched.person(0).userId).stocks).toHaveLength(CODES.length + 2),
    SOON,
  )
  // The first price after a stock is watched again is no reason to buy.
  for (const price of [BASE, 69_000]) sim.setPrice(TWICE, price, { aggressor: 'sell' })
  await vi.waitFor(() => expect(watched.orders(0).length).toBeGreaterThan(before + 1), SOON)
  await watched.halted()
  expect(await watched.findings()).toContain('double')
  expect(server.engine.serverStopReason()).toContain('두 번')
  expect(server.engine.health.vitals().troubles.map(({ code }) => code)).toContain('watcher')
  expect(await watched.person(0).call('GET', '/api/user/stop')).toMatchObject({ server: 'halt', serverReason: /두 번/ })

  const left = watched.orders(0).length
  for (const code of [...CODES, TWICE]) sim.setPrice(code, 55_000, { aggressor: 'sell' })
  await delay(1_000)
  expect(watched.orders(0).length).toBe(left)
  for (const code of CODES) sim.setPrice(code, BASE)
  await watched.letGo()
  await delay(1_500)
  expect([server.engine.serverStop(), server.engine.serverStopReason()]).toEqual(['active', null])
})

test('can write nothing but its own signs', async () => {
  const { asWatcher } = watched.stage
  const userId = watched.person(0).userId
  for (const refused of [
    `update server_setting set value = 'active'`,
    `insert into server_setting (name, value) values ('x', 'y')`,
    `delete from server_setting`,
    `insert into journal (user_id, seq, at, fact) values ('${userId}', 999999, 0, '{}')`,
    `update account set stop = 'active'`,
    `update account_order set live = false`,
    `insert into watcher_finding (key, user_id, at, what) values ('x', '${userId}', 0, '')`,
    `insert into audit (at, user_id, by_email, action, detail) values (0, '${userId}', '', '', '')`,
    `update vault set held = true`,
    `delete from broker_token`,
    `select password_hash from users`,
  ])
    await expect(asWatcher.query(refused)).rejects.toThrow(/permission denied/)
  expect(await asWatcher.query(`select watcher_halt('k', '${userId}', 'why', 'what', 1)`)).toBeDefined()
  expect((await asWatcher.query(`select value from server_setting where name = 'serverStop'`)).rows).toEqual([
    { value: 'halt' },
  ])
})
