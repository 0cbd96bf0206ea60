import { atSpeed, DEFAULT_LIMITS } from '@digger/kis'
import { demoCredentials, startSim } from '@digger/kis-sim'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { readConfig } from '@digger/config'
import { createLogger, createServer } from '@digger/server'
import { signUp } from '@digger/app'
import { madeUpStocks } from './made-up-stocks.ts'

const SPEED = 20
const STOCKS = 20
const BASE = 20_000

const universe = madeUpStocks(STOCKS, () => BASE)

test('where the market runs twenty times as fast, twenty stocks that fall are all bought', async () => {
  const sim = await startSim({
    port: 0,
    hours: 'always',
    clock: { mode: 'real', speed: SPEED },
    brokerTime: 'market',
    walk: 'off',
    universe,
    accounts: [{ credentials: demoCredentials(0), cash: 100_000_000 }],
  })
  onTestFinished(() => sim.close())
  const place = await testPlace()
  onTestFinished(() => place[Symbol.asyncDispose]())
  const server = await createServer({
    config: { ...readConfig({}), ...place.config },
    log: createLogger('fatal'),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
    clock: sim.clock,
    rateLimits: atSpeed(DEFAULT_LIMITS.real, SPEED),
  })
  onTestFinished(() => server.close())
  const who = { email: 'fast@example.com', password: 'fast-market-0', credentials: demoCredentials(0) }
  const person = await signUp(server, who)
  for (const { code } of universe)
    await person.call('POST', `/api/user/stock/${code}`, { ...SETTINGS, maxBuyPrice: BASE - 100, lastBuyPrice: null })
  await vi.waitFor(() => expect(server.engine.socket(person.userId).stocks).toHaveLength(STOCKS), { timeout: 20_000 })
  const bought = () => new Set(sim.holdings(who.credentials.accountNumber).map(({ code }) => code))
  await vi.waitFor(
    () => {
      for (const { code } of universe) sim.setPrice(code, BASE - 200)
      expect(bought().size).toBe(STOCKS)
    },
    { timeout: 20_000, interval: 100 },
  )
}, 60_000)
