import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { SETTINGS } from '@digger/engine/testing'
import { clearOfMidnight } from './midnight.ts'
import { openStage, type Person, type Stage } from './stage.ts'

export const CODES = ['005930', '000660', '035420', '000270', '105560'] as const
/** Is delivered twice. */
export const TWICE = '005380'
/** Nobody buys it by itself. */
export const QUIET = '035720'
export const BASE = 70_000

/** A halt takes two looks, its grace and one second of the server; a busy machine takes longer, ms. */
export const SOON = { timeout: 15_000, interval: 50 }

/** The watcher beside a server that trades for two people, for all tests of a file; a halt of one test is let go before the next. */
export class Watched {
  #stage: Stage | null = null

  constructor() {
    beforeAll(() => this.#open(), 240_000)
    afterAll(() => this.#stage?.close())
    beforeEach(() => this.letGo())
  }

  get stage(): Stage {
    return this.#stage ?? expect.unreachable('before the stage is open')
  }

  async #open(): Promise<void> {
    await clearOfMidnight(120_000)
    const stage = await openStage()
    this.#stage = stage
    for (const code of [...CODES, TWICE, QUIET]) {
      stage.sim.setBase(code, BASE)
      stage.sim.setPrice(code, BASE)
    }
    for (const code of CODES)
      await this.person(0).call('POST', `/api/user/stock/${code}`, {
        ...SETTINGS,
        sellPercent: 0.7,
        lastBuyPrice: BASE,
      })
    for (const n of [0, 1] as const)
      await this.person(n).call('POST', `/api/user/stock/${QUIET}`, { ...SETTINGS, autoBuy: false })
    await vi.waitUntil(() => stage.server.engine.health.vitals().armed === 2, { timeout: 15_000 })
  }

  person = (n: 0 | 1): Person => this.stage.people[n] ?? expect.fail('no such person')
  orders = (n: 0 | 1) => this.stage.sim.orders(this.person(n).account)
  traded = () => this.orders(0).filter(({ filledCount }) => filledCount > 0)

  async halted(): Promise<void> {
    await vi.waitUntil(() => this.stage.server.engine.serverStop() === 'halt', SOON)
  }

  async findings(): Promise<string[]> {
    const { rows } = await this.stage.owner.query<{ key: string }>('select key from watcher_finding order by at, key')
    return rows.map(({ key }) => key.split(' ')[1] ?? '')
  }

  /** Of a halt that this person has seen. */
  async letGo(): Promise<void> {
    await this.stage.server.engine.lookAround()
    await this.stage.server.engine.setServerStop('active')
  }

  /** Rewrites facts as nothing in the product can. */
  async falsify(change: string): Promise<void> {
    const { owner } = this.stage
    await owner.query('alter table journal disable trigger journal_append_only')
    await owner.query(change)
    await owner.query('alter table journal enable trigger journal_append_only')
  }
}
