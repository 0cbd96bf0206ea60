/** The whole server in a process of its own, with people who trade, at a broker that answers at once. Its log is its stdout. */
import { setTimeout as delay } from 'node:timers/promises'
import { UNLIMITED } from '@digger/kis'
import { SETTINGS } from '@digger/engine/testing'
import { readConfig } from '@digger/config'
import { type DiggerServer, NO_LIMITS, REQUEST_LIMITS, createLogger, createServer } from '@digger/server'
import { signUp } from '@digger/app'
import type { FloodedPlan } from './flooded.ts'

const plan: FloodedPlan = JSON.parse(process.argv[2] ?? '')
const { restUrl, wsUrl, users, maxBuyPrice } = plan
// A stranger comes from this machine here: without this it would be a proxy that is believed.
const config = readConfig({ ...plan.place, PORT: '0', TRUST_PROXY: '192.0.2.1' })

const ids: string[] = []
const server = await createServer({
  config,
  broker: { env: 'real', restUrl, wsUrl },
  hours: 'always',
  log: createLogger('info'),
  // The software is measured, not the pause the broker asks for between two calls.
  rateLimits: UNLIMITED,
  requestLimits: plan.limited ? REQUEST_LIMITS : NO_LIMITS,
})
for (const [n, codes] of users.entries()) await trade(server, n, codes)
const stocks = users.reduce((sum, codes) => sum + codes.length, 0)
while (server.engine.health.vitals().armed < users.length || subscribed() < stocks) await delay(100)
process.send?.(await server.listen())
process.on('message', () => void end())
process.on('disconnect', () => void end())

function subscribed(): number {
  return ids.reduce((sum, userId) => sum + server.engine.socket(userId).stocks.length, 0)
}

async function trade({ engine }: DiggerServer, n: number, codes: readonly string[]): Promise<void> {
  const credentials = {
    appKey: `flood${n}`.padEnd(36, 'K'),
    appSecret: `flood${n}`.padEnd(180, 'S'),
    accountNumber: `${10_000_000 + n}01`,
    htsId: `flood${n}`,
  }
  const { userId } = await signUp(server, { email: `p${n}@digger.test`, password: 'Wf7!long enough', credentials })
  const settings = { ...SETTINGS, maxBuyPrice, lastBuyPrice: null }
  for (const code of codes) {
    const listing = { issue: { code, kind: 'stock', market: 'KOSPI', nxt: false }, name: code } as const
    await engine.ask(userId, { kind: 'updateStock', code, version: null, settings, listing })
  }
  ids.push(userId)
}

async function end(): Promise<void> {
  await server.close()
  process.exit(0)
}
