import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findPostgres } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { clearOfMidnight } from './midnight.ts'
import { openStage, SHORT, type Stage } from './stage.ts'

const CODES = ['005930', '000660', '035420', '000270', '105560'] as const
/** Is delivered twice. */
const TWICE = '005380'
/** Nobody buys it by itself. */
const QUIET = '035720'
const bin = findPostgres()

let stage: Stage
const [BASE, STEP] = [70_000, 0.985]

/** A halt takes two looks, its grace and one second of the server; a busy machine takes longer, ms. */
const SOON = { timeout: 15_000, interval: 50 }

const findings = async (): Promise<string[]> => {
  const { rows } = await stage.owner.query<{ key: string }>('select key from watcher_finding order by at, key')
  return rows.map(({ key }) => key.split(' ')[1] ?? '')
}
const traded = () => orders(0).filter(({ filledCount }) => filledCount > 0)
const halted = () => vi.waitFor(() => expect(stage.server.engine.serverStop()).toBe('halt'), SOON)
/** Of a halt that this person has seen. */
const letGo = async (): Promise<void> => {
  await stage.server.engine.lookAround()
  await stage.server.engine.setServerStop('active')
}
const orders = (n: 0 | 1) => stage.sim.orders(stage.people[n]?.account ?? '')
const person = (n: 0 | 1) => stage.people[n] ?? expect.fail('no such person')

/** Rewrites facts as nothing in the product can. */
async function falsify(change: string): Promise<void> {
  await stage.owner.query('alter table journal disable trigger journal_append_only')
  await stage.owner.query(change)
  await stage.owner.query('alter table journal enable trigger journal_append_only')
}

describe.skipIf(bin === null)('the watcher beside a server (skipped where no PostgreSQL is installed)', () => {
  beforeAll(async () => {
    await clearOfMidnight(120_000)
    stage = await openStage(bin ?? '')
    for (const code of [...CODES, TWICE, QUIET]) {
      stage.sim.setBase(code, BASE)
      stage.sim.setPrice(code, BASE)
    }
    for (const code of CODES)
      await person(0).call('POST', `/api/user/stock/${code}`, { ...SETTINGS, sellPercent: 0.7, lastBuyPrice: BASE })
    for (const n of [0, 1] as const)
      await person(n).call('POST', `/api/user/stock/${QUIET}`, { ...SETTINGS, autoBuy: false })
    await vi.waitUntil(() => stage.server.engine.health.vitals().armed === 2, { timeout: 15_000 })
  }, 240_000)
  afterAll(() => stage.close())
  beforeEach(letGo)

  test('finds nothing in a busy run with part fills, cancels and an order without a reply', async () => {
    const { sim, server } = stage
    sim.faults.add({ kind: 'loseReply', endpoint: 'orderBuy', times: 1 })
    let price = BASE
    for (const code of CODES) sim.setPrice(code, price)
    // On a busy machine fewer of the first rounds are answered in time. Prices come again, so that there always is a trade.
    for (let round = 0; round < 9 || (round < 36 && traded().length <= 4); round += 1) {
      price = round % 3 === 2 ? BASE : Math.round((price * STEP) / 100) * 100
      for (const code of CODES) {
        sim.setPrice(code, price, { count: 1, aggressor: 'sell' })
        await delay(30)
        sim.setPrice(code, price, { aggressor: round % 2 === 0 ? 'buy' : 'sell' })
      }
      await delay(300)
      // One that is filled meanwhile is refused, which is no fault.
      if (round === 5)
        await person(0)
          .call('POST', '/api/user/balance/cancel', {})
          .catch(() => undefined)
    }
    await delay(1_000)
    // On a busy machine a look takes longer, so fewer of them are through by now.
    await vi.waitFor(async () => {
      const { rows } = await stage.owner.query<{ looks: number }>('select looks::int from watcher')
      expect(rows[0]?.looks).toBeGreaterThan(8)
    }, SOON)
    expect(traded().length).toBeGreaterThan(4)
    expect(new Set(traded().map(({ side }) => side))).toEqual(new Set(['buy', 'sell']))
    expect([await findings(), server.engine.serverStop(), stage.lines]).toEqual([[], 'active', []])
  })

  test('halts at once when one order was delivered twice; nothing leaves from then on, and a person lets go once', async () => {
    const { sim, server } = stage
    sim.faults.add({ kind: 'doubleRequest', endpoint: 'orderBuy', times: 1 })
    const before = orders(0).length
    await person(0).call('POST', `/api/user/stock/${TWICE}`, { ...SETTINGS, lastBuyPrice: BASE })
    await vi.waitFor(() => expect(server.engine.socket(person(0).userId).stocks).toHaveLength(CODES.length + 2), SOON)
    // The first price after a stock is watched again is no reason to buy.
    for (const price of [BASE, 69_000]) sim.setPrice(TWICE, price, { aggressor: 'sell' })
    await vi.waitFor(() => expect(orders(0).length).toBeGreaterThan(before + 1), SOON)
    await halted()
    expect(await findings()).toContain('double')
    expect(server.engine.serverStopReason()).toContain('두 번')
    expect(server.engine.health.vitals().troubles.map(({ code }) => code)).toContain('watcher')
    expect(await person(0).call('GET', '/api/user/stop')).toMatchObject({ server: 'halt', serverReason: /두 번/ })

    const left = orders(0).length
    for (const code of [...CODES, TWICE]) sim.setPrice(code, 55_000, { aggressor: 'sell' })
    await delay(1_000)
    expect(orders(0).length).toBe(left)
    for (const code of CODES) sim.setPrice(code, BASE)
    await letGo()
    await delay(1_500)
    expect([server.engine.serverStop(), server.engine.serverStopReason()]).toEqual(['active', null])
  })

  test('halts for a trade that the server did not notice, and leaves to the server one that it did', async () => {
    const { sim, server } = stage
    const account = person(1).account
    const blocked = () => server.engine.book(person(1).userId).stocks.get(QUIET)?.blocked
    const silent = sim.faults.add({ kind: 'dropNotice', account })
    sim.outsideTrade(account, { code: QUIET, side: 'buy', count: 3, price: BASE })
    await halted()
    expect([await findings(), blocked()]).toEqual([['double', 'stranger'], null])
    await letGo()
    sim.faults.clear(silent)
    sim.outsideTrade(account, { code: QUIET, side: 'buy', count: 2, price: BASE })
    await vi.waitFor(() => expect(blocked()).not.toBeNull(), SOON)
    await delay(1_500)
    expect(server.engine.serverStop()).toBe('active')
  })

  test('halts when the journal has more fills than the broker, or does not get those it has', async () => {
    const { rows } = await stage.owner.query<{ seq: string }>(
      `select max(seq) as seq from journal where user_id = $1 and fact ->> 'kind' = 'orderFilled'`,
      [person(0).userId],
    )
    const counted = (by: string) =>
      `update journal set fact = jsonb_set(fact, '{count}', to_jsonb((fact ->> 'count')::int ${by}))
       where user_id = '${person(0).userId}' and seq = ${rows[0]?.seq}`
    await falsify(counted('+ 1'))
    await halted()
    expect((await findings()).at(-1)).toBe('overbooked')
    await letGo()
    await falsify(counted('- 2'))
    await halted()
    expect((await findings()).at(-1)).toBe('unbooked')
    await falsify(counted('+ 1'))
    await letGo()
  })

  test('halts for an order that the broker took after a halt of the account', async () => {
    const { sim, server } = stage
    sim.faults.add({ kind: 'dropNotice', account: person(1).account })
    await person(1).call('POST', '/api/user/stop', { level: 'user', stop: 'halt' })
    await delay(SHORT.stoppingMs + 1_500)
    expect(server.engine.serverStop()).toBe('active')
    sim.outsideTrade(person(1).account, { code: QUIET, side: 'sell', count: 1, price: BASE })
    await halted()
    expect(await findings()).toContain('stopped')
  })

  test('can write nothing but its own signs', async () => {
    const { asWatcher } = stage
    const userId = person(0).userId
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

  test('runs as a program, in its own role, until it is ended', async () => {
    const watching = startProgram()
    await vi.waitFor(() => expect(watching.output()).toContain('watching'), { timeout: 40_000 })
    expect(await watching.end('SIGTERM')).toBe(0)
  }, 60_000)
})

function startProgram() {
  const main = join(import.meta.dirname, '../src/main.ts')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...stage.env }
  const child = spawn(process.execPath, ['--no-warnings', main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  const ended = once(child, 'exit')
  return {
    output: () => output,
    end: async (signal: NodeJS.Signals): Promise<unknown> => {
      child.kill(signal)
      const [code]: unknown[] = await ended
      return code
    },
  }
}
