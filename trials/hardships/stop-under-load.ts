import { setAdmin } from '@digger/identity'
import type { Stage } from '../crash/stage.ts'
import { restartTrading, startTrading, finish, checkTradesAgain, type FaultInjection } from './fault-injection.ts'

/** A request that left in the turn before the stop reaches the broker's log this much later at most, ms. */
const ON_ITS_WAY_MS = 500
const STOPPED_MS = 8_000

interface Level {
  readonly level: 'stock' | 'user' | 'server'
  /** Accounts and stocks whose orders must not reach the broker. */
  readonly stopped: (stage: Stage) => { readonly account: string; readonly codes: readonly string[] }[]
}

const LEVELS: readonly Level[] = [
  { level: 'stock', stopped: ({ people }) => people.slice(0, 1).map((one) => targetOf(one, one.codes.slice(0, 1))) },
  { level: 'user', stopped: ({ people }) => people.slice(0, 1).map((one) => targetOf(one, one.codes)) },
  { level: 'server', stopped: ({ people }) => people.map((one) => targetOf(one, one.codes)) },
]

const targetOf = (person: Stage['people'][number], codes: readonly string[]) => ({
  account: person.credentials.accountNumber,
  codes,
})

/** Halted while it trades, killed, started again: from the reply on, no order of what is halted reaches the broker. */
export const stopUnderLoad: FaultInjection = {
  name: 'a stop under load and over kill -9',
  missing: () => null,
  async run({ open }) {
    const stage = await open()
    const first = await startTrading(stage)
    await first.end('SIGKILL')
    const [admin] = stage.people
    if (admin === undefined) throw new Error('nobody is there')
    // Only an administrator stops the whole server.
    await stage.withDatabase((db) => setAdmin(db, admin.email, true))
    let server = await restartTrading(stage)
    const report: string[] = []
    for (const { level, stopped } of LEVELS) {
      const code = admin.codes[0] ?? ''
      const working = stage.work(STOPPED_MS)
      await admin.setStop(level, code, 'halt')
      const from = Date.now() + ON_ITS_WAY_MS
      await working
      await server.end('SIGKILL')
      server = await restartTrading(stage)
      const reached = await reachedBy(stage, stopped(stage), from)
      if (reached > 0) stage.problems.push(`${reached} orders reached the broker although the ${level} was halted`)
      report.push(
        `${level} halted: ${reached} orders of it in ${((Date.now() - from) / 1_000).toFixed(0)} s, a kill -9 among them`,
      )
      await admin.setStop(level, code, 'active')
      await checkTradesAgain(stage, `after the stop of the ${level}`)
    }
    await finish(stage, server)
    return report
  },
}

async function reachedBy(stage: Stage, stopped: ReturnType<Level['stopped']>, from: number): Promise<number> {
  let count = 0
  for (const { account, codes } of stopped) {
    for (const event of await stage.broker.events(account)) {
      if (event.kind !== 'accepted' || event.order.change !== null) continue
      if (event.order.at >= from && codes.includes(event.order.code)) count += 1
    }
  }
  return count
}
