import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { SHORT } from './stage.ts'
import { BASE, CODES, QUIET, SOON, Watched } from './watched.ts'

const watched = new Watched()
const STEP = 0.985

test('finds nothing in a busy run with part fills, cancels and an order without a reply', async () => {
  const { sim, server } = watched.stage
  sim.faults.add({ kind: 'loseReply', endpoint: 'orderBuy', times: 1 })
  let price = BASE
  for (const code of CODES) sim.setPrice(code, price)
  // On a busy machine fewer of the first rounds are answered in time. Prices come again, so that there always is a trade.
  for (let round = 0; round < 9 || (round < 36 && watched.traded().length <= 4); round += 1) {
    price = round % 3 === 2 ? BASE : Math.round((price * STEP) / 100) * 100
    for (const code of CODES) {
      sim.setPrice(code, price, { count: 1, aggressor: 'sell' })
      await delay(30)
      sim.setPrice(code, price, { aggressor: round % 2 === 0 ? 'buy' : 'sell' })
    }
    await delay(300)
    // One that is filled meanwhile is refused, which is no fault.
    if (round === 5)
      await watched
        .person(0)
        .call('POST', '/api/user/balance/cancel', {})
        .catch(() => undefined)
  }
  await delay(1_000)
  // On a busy machine a look takes longer, so fewer of them are through by now.
  await vi.waitFor(async () => {
    const { rows } = await watched.stage.owner.query<{ looks: number }>('select looks::int from watcher')
    expect(rows[0]?.looks).toBeGreaterThan(8)
  }, SOON)
  expect(watched.traded().length).toBeGreaterThan(4)
  expect(new Set(watched.traded().map(({ side }) => side))).toEqual(new Set(['buy', 'sell']))
  expect([await watched.findings(), server.engine.serverStop(), watched.stage.lines]).toEqual([[], 'active', []])
})

test('halts for a trade that the server did not notice, and leaves to the server one that it did', async () => {
  const { sim, server } = watched.stage
  const account = watched.person(1).account
  const blocked = () => server.engine.book(watched.person(1).userId).stocks.get(QUIET)?.blocked
  const silent = sim.faults.add({ kind: 'dropNotice', account })
  sim.outsideTrade(account, { code: QUIET, side: 'buy', count: 3, price: BASE })
  await watched.halted()
  expect([await watched.findings(), blocked()]).toEqual([['stranger'], null])
  await watched.letGo()
  sim.faults.clear(silent)
  sim.outsideTrade(account, { code: QUIET, side: 'buy', count: 2, price: BASE })
  await vi.waitFor(() => expect(blocked()).not.toBeNull(), SOON)
  await delay(1_500)
  expect(server.engine.serverStop()).toBe('active')
})

test('halts when the journal has more fills than the broker, or does not get those it has', async () => {
  const { rows } = await watched.stage.owner.query<{ seq: string }>(
    `select max(seq) as seq from journal where user_id = $1 and fact ->> 'kind' = 'orderFilled'`,
    [watched.person(0).userId],
  )
  const counted = (by: string) =>
    `update journal set fact = jsonb_set(fact, '{count}', to_jsonb((fact ->> 'count')::int ${by}))
     where user_id = '${watched.person(0).userId}' and seq = ${rows[0]?.seq}`
  await watched.falsify(counted('+ 1'))
  await watched.halted()
  expect((await watched.findings()).at(-1)).toBe('overbooked')
  await watched.letGo()
  await watched.falsify(counted('- 2'))
  await watched.halted()
  expect((await watched.findings()).at(-1)).toBe('unbooked')
  await watched.falsify(counted('+ 1'))
  await watched.letGo()
})

test('halts for an order that the broker took after a halt of the account', async () => {
  const { sim, server } = watched.stage
  sim.faults.add({ kind: 'dropNotice', account: watched.person(1).account })
  await watched.person(1).call('POST', '/api/user/stop', { level: 'user', stop: 'halt' })
  await delay(SHORT.stoppingMs + 1_500)
  expect(server.engine.serverStop()).toBe('active')
  sim.outsideTrade(watched.person(1).account, { code: QUIET, side: 'sell', count: 1, price: BASE })
  await watched.halted()
  expect(await watched.findings()).toContain('stopped')
})

test('runs as a program, in its own role, until it is ended', async () => {
  const watching = startProgram()
  await vi.waitFor(() => expect(watching.output()).toContain('watching'), { timeout: 40_000 })
  expect(await watching.end('SIGTERM')).toBe(0)
}, 60_000)

function startProgram() {
  const main = join(import.meta.dirname, '../src/main.ts')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...watched.stage.env }
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
