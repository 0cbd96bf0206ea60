import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { verifyAll } from '@digger/app'
import { type Db, openDatabase } from '@digger/database'
import { findUserByEmail, setAdmin } from '@digger/identity'
import { readBook } from '../agreement/book.ts'
import { duplicateOrders } from '../crash/duplicate-orders.ts'
import type { Child } from '../crash/child.ts'
import type { Person } from '../crash/person.ts'
import { CASH_WON, Stage } from '../crash/stage.ts'
import { ordersInDifferingStocks, sharesThatDiffer } from './judge.ts'
import { Owner } from './owner.ts'
import { clearSecrets } from './secrets.ts'
import { runTool, toolFailed } from './tools.ts'

/** `fresh`: the copy is of just before the loss; `old`: much was traded since; `alive`: the server of before was not lost at all. */
export type Age = 'fresh' | 'old' | 'alive'

export interface RoundPlan {
  readonly seed: number
  readonly age: Age
  /** A new, empty folder. */
  readonly folder: string
  /** Of two empty databases; null: embedded. */
  readonly databases: readonly [before: string, after: string] | null
  readonly masterKeyFile: string
  readonly times?: RoundTimes
  readonly print: (line: string) => void
}

export interface RoundResult {
  readonly problems: readonly string[]
  /** Orders that the broker took before the loss, and that the copy made after its people agreed. */
  readonly before: number
  readonly after: number
  /** Shares that the copy lacked or had too many, by stocks. */
  readonly corrected: number
}

/** How long each part of a round takes at least, ms. */
export interface RoundTimes {
  /** People act before the backup, and again before an old copy is put back. */
  readonly work: number
  readonly oldWork: number
  /** The copy is looked at before each press that lets it go on, and beside a living server of before. */
  readonly quiet: number
  readonly alive: number
  /** People look at their screens this often. */
  readonly look: number
}

const TIMES: RoundTimes = { work: 8_000, oldWork: 45_000, quiet: 15_000, alive: 45_000, look: 3_000 }

/** Backup under trading, loss of the machine, restore elsewhere, and on: what must not happen in between is looked for at the broker. */
export async function backupRound(plan: RoundPlan): Promise<RoundResult> {
  const { folder, databases, age, masterKeyFile, times = TIMES } = plan
  mkdirSync(folder, { recursive: true })
  const env = { MASTER_KEY_FILE: masterKeyFile, DATABASE_URL: databases?.[0] ?? '' }
  const stage = await Stage.open({ ...plan, env })
  try {
    const there = { ...env, DATA_DIR: join(folder, 'elsewhere'), DATABASE_URL: databases?.[1] ?? '' }
    const first = stage.spawn()
    const began = performance.now()
    await stage.waitUntilOpen(first)
    await stage.join()
    await stage.waitUntilArmed(first, began)
    await stage.work(times.work)
    const backup = await takeWhileTrading(stage, { folder, env })
    await stage.work(age === 'old' ? times.oldWork : Math.random() * 1_000)
    if (age !== 'alive') await destroy(first, join(folder, 'data'))
    await tryDrill(stage, { folder, backup, env: there })
    await putBack(stage, { folder, backup, env: there })
    const round = new Round(stage, there, times)
    const second = await round.startHalted(first)
    if (age === 'alive') await round.watchBoth(first, times.alive)
    else await round.goOn(second, times.quiet)
    await second.end('SIGTERM')
    if (age === 'alive') await first.end('SIGTERM')
    await round.judge(age)
    return { problems: stage.problems, ...round.counts }
  } finally {
    await stage.close()
  }
}

type CopyEnv = NodeJS.ProcessEnv & { readonly DATA_DIR: string; readonly DATABASE_URL: string }

interface At {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** People go on acting meanwhile. Returns the folder of the backup. */
async function takeWhileTrading(stage: Stage, { folder, env }: At): Promise<string> {
  const working = stage.work(3_000)
  const DATA_DIR = join(folder, 'data')
  const output = await runTool('backup', [join(folder, 'backups')], { ...env, DATA_DIR }, join(folder, 'tools.log'))
  await working
  const path = /백업했습니다: (\S+)/.exec(output)?.[1]
  if (path === undefined) throw new Error(`no backup: ${output}`)
  stage.problems.push(...clearSecrets(path, stage.people))
  return path
}

async function destroy(server: Child, dataDir: string): Promise<void> {
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

async function tryDrill(stage: Stage, { folder, backup, env }: At & { readonly backup: string }): Promise<void> {
  const output = await runTool('drill', [backup], env, join(folder, 'tools.log'))
  if (!/계좌 2개의 기록 \d+건과 장부가 같습니다/.test(output)) stage.problems.push(`drill: ${output}`)
}

async function putBack(stage: Stage, { folder, backup, env }: At & { readonly backup: string }): Promise<void> {
  const output = await runTool('restore', [backup], env, join(folder, 'tools.log'))
  if (!/모든 계좌의 기록 \d+건과 장부가 같습니다/.test(output)) stage.problems.push(`restore: ${output}`)
  const again = await toolFailed('restore', [backup], env, join(folder, 'tools.log'))
  if (!again) stage.problems.push('a second restore into the same database was not refused')
}

/** From the start of the copy on. */
class Round {
  readonly #stage: Stage
  readonly #env: CopyEnv
  readonly #owners: readonly Owner[]
  readonly #startedAt = Date.now()
  #before = 0
  #after = 0

  constructor(stage: Stage, env: CopyEnv, { look }: RoundTimes) {
    this.#stage = stage
    this.#env = env
    this.#owners = stage.people.map((person) => new Owner(person, stage, look))
  }

  get counts() {
    const corrected = this.#owners.reduce((sum, { fixedAt }) => sum + fixedAt.size, 0)
    return { before: this.#before, after: this.#after, corrected }
  }

  #taken = async (): Promise<number> => (await this.#stage.ordersTaken()).length

  async startHalted(first: Child): Promise<Child> {
    const stage = this.#stage
    await this.withDatabase(async (db) => {
      for (const { email } of stage.people) await setAdmin(db, email, true)
    })
    if (first.ended) this.#before = await this.#taken()
    const server = stage.spawn(this.#env)
    await stage.waitUntilOpen(server)
    for (const owner of this.#owners) stage.problems.push(...(await owner.logInAnew()))
    return server
  }

  /** Both agree, corrections are made, and it trades: nothing before, nothing where the book lacks something, nothing twice. */
  async goOn(second: Child, quietMs: number): Promise<void> {
    const { problems } = this.#stage
    await this.#stage.waitUntilArmed(second, performance.now())
    await this.#lookOn(quietMs)
    for (const owner of this.#owners) problems.push(...(await owner.checkHalted()))
    await this.#owners[0]?.letServerGoOn()
    await this.#lookOn(quietMs)
    const sent = (await this.#taken()) - this.#before
    if (sent > 0) problems.push(`${sent} orders before the people agreed`)
    for (const owner of this.#owners) problems.push(...(await owner.agree()))
    await this.#lookOn(quietMs)
    const traded = await Promise.all(this.#owners.map((owner) => owner.correctUntilItTrades()))
    problems.push(...traded.flat())
    await this.#stage.broker.halt(this.#stage.people.flatMap(({ codes }) => codes))
    await Promise.all(this.#owners.map((owner) => owner.correctToTheEnd()))
    this.#after = (await this.#taken()) - this.#before
  }

  /** While prices ask for orders. */
  async #lookOn(ms: number): Promise<void> {
    for (const owner of this.#owners) await owner.tempt()
    await delay(ms)
  }

  /** Whoever lets the copy go on beside the living server is refused, as long as that one trades. */
  async watchBoth(first: Child, ms: number): Promise<void> {
    const { problems } = this.#stage
    await this.#owners[0]?.letServerGoOn()
    const until = performance.now() + ms
    while (performance.now() < until) {
      for (const owner of this.#owners)
        if (await owner.mayGoOn()) problems.push(`${owner.email} went on beside the living server`)
      await delay(5_000)
    }
    if (first.ended) problems.push('the living server ended')
    this.#before = await this.#taken()
  }

  /** After the end of the copy: journal, broker and book. */
  async judge(age: Age): Promise<void> {
    const { problems, people, broker } = this.#stage
    await this.withDatabase(async (db) => {
      const { ok, lines } = await verifyAll(db)
      if (!ok) problems.push(...lines)
      for (const [n, person] of people.entries()) {
        const { events, holdings } = await broker.truth(person.credentials.accountNumber, CASH_WON)
        const { book, lots } = await this.#bookOf(db, person)
        const since = { restoredAt: this.#startedAt, fixedAt: this.#owners[n]?.fixedAt ?? new Map() }
        const found = [
          ...ordersInDifferingStocks(events, book.orders, since),
          ...(age === 'alive' ? [] : duplicateOrders(events, book.orders, lots)),
          ...(age === 'alive' ? [] : sharesThatDiffer(book, holdings)),
        ]
        const own = book.orders.filter(({ created_at: at }) => at >= this.#startedAt)
        if (age === 'alive' && own.length > 0) found.push(`${own.length} orders of the copy beside the living server`)
        problems.push(...found.map((text) => `${person.email}: ${text}`))
      }
    })
  }

  async #bookOf(db: Db, { email }: Person) {
    const user = await findUserByEmail(db, email)
    if (user === undefined) throw new Error(`${email} is gone`)
    const lots = await db.selectFrom('order_lot').selectAll().where('user_id', '=', user.id).execute()
    return { book: await readBook(db, user.id), lots }
  }

  async withDatabase<T>(look: (db: Db) => Promise<T>): Promise<T> {
    const { DATA_DIR, DATABASE_URL } = this.#env
    const database = await openDatabase({
      dataDir: DATA_DIR,
      databaseUrl: DATABASE_URL === '' ? undefined : DATABASE_URL,
      // The name of this process must not stand there as the one that traded before.
      exclusive: false,
    })
    try {
      return await look(database.db)
    } finally {
      await database.close()
    }
  }
}
