/** Signs people up through the product's own calls, in one process as before there were several, and gives them stocks. Arguments: accounts, then codes. */
import { writeFileSync } from 'node:fs'
import { floorToTick } from '@digger/core'
import { signUp } from '@digger/app'
import { demoCredentials } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import { createLogger, createServer, NO_LIMITS } from '@digger/server'
import { SETTINGS } from '@digger/engine/testing'
import { ACTIVE_PEOPLE, personOf, sessionsIn } from './person.ts'

const [accounts = '0', ...codes] = process.argv.slice(2)
const CONCURRENCY = 8

const cookies: string[] = []

const config = readConfig(process.env)
const server = await createServer({
  config,
  log: createLogger(config.LOG_LEVEL),
  broker: { env: 'real', restUrl: config.KIS_REST_URL ?? '', wsUrl: config.KIS_WS_URL ?? '' },
  hours: 'always',
  requestLimits: NO_LIMITS,
})
const people = Array.from({ length: Number(accounts) }, (_, n) => n)
await Promise.all(Array.from({ length: CONCURRENCY }, () => prepareSome()))
writeFileSync(sessionsIn(config.DATA_DIR), JSON.stringify(cookies))
await server.close()
process.exit(0)

async function cookieOf(n: number): Promise<string> {
  const reply = await server.app.inject({ method: 'POST', url: '/api/login', payload: personOf(n) })
  return reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

async function prepareSome(): Promise<void> {
  for (let n = people.shift(); n !== undefined; n = people.shift()) {
    const person = await signUp(server, { ...personOf(n), credentials: demoCredentials(n) })
    if (n < ACTIVE_PEOPLE) cookies[n] = await cookieOf(n)
    for (const [index, code] of codes.entries()) {
      const base = 20_000 + index * 1_000
      await person.call('POST', `/api/user/stock/${code}`, {
        ...SETTINGS,
        maxBuyPrice: floorToTick(Math.round(base * 1.01), 'stock'),
        maxBuyAmount: 100_000_000,
        buyUnitPrice: 1,
        lastBuyPrice: null,
        buyPercent: -1,
        sellPercent: 1,
      })
    }
  }
}
