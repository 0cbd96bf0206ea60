import { canonical, isLive, outlook, type Account, type Stock } from '@digger/core'
import type { Db } from '@digger/database'
import type { ShadowState } from '@digger/shadow'
import { z } from 'zod'
import { setNear } from '../faults/market.ts'
import type { Person } from '../people/person.ts'
import { SHADOW } from '../people/presses.ts'
import { loadShadow, verifyShadow } from '../product.ts'
import type { Stage } from '../stage.ts'
import { Violation } from '../violation.ts'
import { DUE_MS, FULL, ORDER_LIMIT_MS } from './due.ts'
import type { CommittedRows } from './rows.ts'
import { until } from './until.ts'

/** In calm an automatic order that the switch found at the exchange is gone by then, ms. */
const RECALLED_MS = 30_000
/** A rehearsal begins and ends with the second after its stock's switch, ms. */
const FOLLOWED_MS = 10_000
/** One that a fault ended is read again within a minute, ms. */
const READ_AGAIN_MS = 60_000
/** Stocks of each person that are brought to a buy. */
const PROBES = 2
const Found = z.array(z.object({ what: z.string() }))
/** Numbers that only a rehearsal gives. */
const REHEARSED_ROWS = `select 'order ' || id as what from account_order where user_id = $1 and orgno = 'shadow'
  union all select 'lot ' || id from trade where user_id = $1 and id > 1000000000`

/** What is in the shadow: it decides as soon as the real account would, its facts are its only truth, and nothing of it is real. */
export class Rehearsals {
  readonly #stage: Stage
  readonly #rows: CommittedRows

  constructor(stage: Stage, rows: CommittedRows) {
    this.#stage = stage
    this.#rows = rows
  }

  /** In calm, before the person lets everything go for real. Rejects with a `Violation`. */
  async check(person: Person): Promise<void> {
    const codes = person.codes.filter((code) => this.#rows.isShadowed(person.userId, code))
    if (codes.length === 0) return
    await this.#follows(person, codes, READ_AGAIN_MS + FOLLOWED_MS)
    await this.#recalled(person, codes)
    let probes = 0
    for (const code of codes) if (probes < PROBES && (await this.#buy(person, code))) probes += 1
    const { status, text } = await person.ask('POST', SHADOW, { code: null, shadow: false })
    if (status !== 200) throw new Violation('people are answered', `POST ${SHADOW} in calm: ${status} ${text}`)
    await this.#follows(person, [], FOLLOWED_MS)
  }

  /** Exactly the stocks that are in the shadow are rehearsed. */
  async #follows(person: Person, codes: readonly string[], within: number): Promise<void> {
    const wanted = codes.toSorted().join(' ')
    const rehearsed = () => [...(this.#account(person)?.book.stocks.keys() ?? [])].toSorted().join(' ')
    await until(this.#stage, {
      within,
      holds: () => rehearsed() === wanted,
      promise: 'what is in the shadow is rehearsed',
      why: () => `${person.email} has ${wanted || 'nothing'} in the shadow, rehearsed is ${rehearsed() || 'nothing'}`,
    })
  }

  /** What has no verdict yet is waited for elsewhere. */
  async #recalled(person: Person, codes: readonly string[]): Promise<void> {
    const resting = () =>
      this.#rows
        .orders(person.userId)
        .filter(
          ({ code, live, origin, odno, status }) =>
            codes.includes(code) && live && origin === 'auto' && odno !== null && status !== 'unknown',
        )
        .map(({ code, side, odno }) => `the ${side} ${odno} of ${code}`)
    await until(this.#stage, {
      within: RECALLED_MS,
      holds: () => resting().length === 0,
      promise: 'the shadow takes back what rests',
      why: () => `${person.email}: ${resting().join('; ')}`,
    })
  }

  /** Brings the price to the next buy until its order is in the journal. Resolves to whether there was one. */
  async #buy(person: Person, code: string): Promise<boolean> {
    const stock = this.#account(person)?.book.stocks.get(code)
    const able = stock !== undefined && canBuy(stock) && this.#account(person)?.book.stop === 'active'
    if (!this.#stage.looks.count('due in the shadow', able)) return false
    const first = this.#account(person)?.book.nextOrderId ?? 0
    let reasons: readonly { code: string; text: string }[] = []
    let isFull = false
    await until(this.#stage, {
      within: () => DUE_MS + (reasons.some((reason) => reason.code === 'ordersPerMinute') ? ORDER_LIMIT_MS : 0),
      holds: () => {
        const account = this.#account(person)
        if (account === null) return false
        const buys = [...account.book.orders.values()].filter((order) => order.code === code && order.side === 'buy')
        if (buys.some(({ id, status }) => id >= first || isLive(status))) return true
        reasons = this.#reasons(person, account, code)
        isFull = reasons.some((reason) => FULL.has(reason.code))
        const price = account.book.stocks.get(code)?.nextBuyPrice ?? null
        if (price !== null && !isFull) this.#setPrice(code, price)
        return isFull
      },
      promise: 'the shadow decides in time',
      why: () => `a buy of ${code} of ${person.email}: ${reasons.map(({ text }) => text).join(' ')}`,
    })
    return !isFull
  }

  #setPrice(code: string, price: number): void {
    this.#stage.simulation.enter(this.#stage.brokerProcess, () => setNear(this.#stage, code, price))
  }

  /** Null: no rehearsal is open. */
  #account(person: Person): Account | null {
    return this.#state(person)?.account ?? null
  }

  #state({ userId }: Person): ShadowState | null {
    const { simulation, active } = this.#stage
    const running = this.#stage.running(active)
    if (running === undefined || running.server === null) return null
    const { shadows } = running.server
    return simulation.enter(running.process, () => shadows.state(userId))
  }

  #reasons({ userId }: Person, account: Account, code: string): readonly { code: string; text: string }[] {
    const { simulation, active } = this.#stage
    const running = this.#stage.running(active)
    if (running === undefined || running.server === null) return []
    const { rehearsing } = running.server.engine
    return simulation.enter(
      running.process,
      () => outlook(account, rehearsing.contextOf(userId, account), code).reasons,
    )
  }

  /** When nothing trades any more. */
  async checkEnd(person: Person, db: Db): Promise<void> {
    const real = Found.parse(this.#stage.database.query(REHEARSED_ROWS, [person.userId]))
    if (real.length > 0)
      throw new Violation('nothing leaves the shadow', `in the real book: ${real.map(({ what }) => what).join(', ')}`)
    const { facts, problems } = await verifyShadow(db, person.userId)
    if (problems.length > 0)
      throw new Violation('the journal makes the rehearsal', `${person.email}: ${problems.join('; ')}`)
    const state = this.#state(person)
    if (!this.#stage.looks.count('orders in the shadow', facts > 0 && state !== null) || state === null) return
    const { state: loaded } = await loadShadow(db, person.userId)
    if (textOf(loaded) !== textOf(state))
      throw new Violation('the journal makes the rehearsal', `${person.email}: ${textOf(loaded)}, not ${textOf(state)}`)
  }
}

const canBuy = ({ settings, nextBuyPrice, blocked, frozen, stop }: Stock): boolean =>
  settings.autoBuy && nextBuyPrice !== null && blocked === null && frozen === null && stop === 'active'

const textOf = ({ account: { book }, outlay }: ShadowState): string =>
  canonical([[...book.stocks.values()], [...book.orders.values()], [...outlay]])
