import { canonical, isLive, outlook, type Account, type Stock } from '@digger/core'
import type { Db } from '@digger/database'
import type { ShadowState } from '@digger/shadow'
import { z } from 'zod'
import { setNear } from '../faults/market.ts'
import type { Person } from '../people/person.ts'
import { SHADOW } from '../people/presses.ts'
import { loadShadow, verifyShadow } from '../product.ts'
import type { RunningServer, Stage } from '../stage.ts'
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
/** A buy that rests is taken back after half a minute; until then no other is made, ms. */
const TAKEN_BACK_MS = 35_000
/** Between two events of its mailbox the journal can be read, ms. */
const AT_REST_MS = 10_000
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
    await this.#written(person)
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
    const { looks } = this.#stage
    const { book } = this.#account(person) ?? {}
    const stock = book?.stocks.get(code)
    if (book?.stop !== 'active' || stock === undefined || !canBuy(stock)) return looks.count('due in the shadow', false)
    const first = book.nextOrderId
    let within = DUE_MS
    let reasons: readonly { code: string; text: string }[] = []
    let isFull = false
    await until(this.#stage, {
      within: () => within,
      holds: () => {
        const account = this.#account(person)
        if (account === null) return false
        const buys = [...account.book.orders.values()].filter((order) => order.code === code && order.side === 'buy')
        if (buys.some(({ id }) => id >= first)) return true
        reasons = this.#reasons(person, account, code)
        if (reasons.some((reason) => reason.code === 'ordersPerMinute')) within = DUE_MS + ORDER_LIMIT_MS
        if (buys.some(({ status }) => isLive(status))) within = Math.max(within, DUE_MS + TAKEN_BACK_MS)
        isFull = reasons.some((reason) => FULL.has(reason.code))
        const price = account.book.stocks.get(code)?.nextBuyPrice ?? null
        if (price !== null && !isFull) this.#setPrice(code, price)
        return isFull
      },
      promise: 'the shadow decides in time',
      why: () => `a buy of ${code} of ${person.email}: ${reasons.map(({ text }) => text).join(' ')}`,
    })
    return looks.count('due in the shadow', !isFull)
  }

  /** What memory has is in the journal, while there is something to compare. */
  async #written(person: Person): Promise<void> {
    await until(this.#stage, {
      within: AT_REST_MS,
      holds: () => this.#compared(person),
      promise: 'the journal makes the rehearsal',
      why: () => `${person.email}: its mailbox does not come to rest`,
    })
    const orders = this.#account(person)?.book.orders.size ?? 0
    this.#stage.looks.count('orders in the shadow', orders > 0)
  }

  /** False where something was decided while the journal was read. */
  async #compared(person: Person): Promise<boolean> {
    const { server } = this.#running() ?? {}
    const state = this.#state(person)
    if (!server || state === null || server.shadows.queue > 0) return false
    const { state: loaded } = await loadShadow(server.database.db, person.userId)
    if (server.shadows.queue > 0 || this.#state(person) !== state) return false
    compare(person, loaded, state)
    return true
  }

  #setPrice(code: string, price: number): void {
    this.#stage.simulation.enter(this.#stage.brokerProcess, () => setNear(this.#stage, code, price))
  }

  /** Null: no rehearsal is open. */
  #account(person: Person): Account | null {
    return this.#state(person)?.account ?? null
  }

  #state({ userId }: Person): ShadowState | null {
    const { server, process } = this.#running() ?? {}
    if (!server || process === undefined) return null
    return this.#stage.simulation.enter(process, () => server.shadows.state(userId))
  }

  #reasons({ userId }: Person, account: Account, code: string): readonly { code: string; text: string }[] {
    const { server, process } = this.#running() ?? {}
    if (!server || process === undefined) return []
    const { rehearsing } = server.engine
    return this.#stage.simulation.enter(
      process,
      () => outlook(account, rehearsing.contextOf(userId, account), code).reasons,
    )
  }

  #running(): RunningServer | undefined {
    return this.#stage.running(this.#stage.active)
  }

  /** When nothing trades any more. */
  async checkEnd(person: Person, db: Db): Promise<void> {
    const real = Found.parse(this.#stage.database.query(REHEARSED_ROWS, [person.userId]))
    if (real.length > 0)
      throw new Violation('nothing leaves the shadow', `in the real book: ${real.map(({ what }) => what).join(', ')}`)
    const { problems } = await verifyShadow(db, person.userId)
    if (problems.length > 0)
      throw new Violation('the journal makes the rehearsal', `${person.email}: ${problems.join('; ')}`)
    const state = this.#state(person)
    if (state !== null) compare(person, (await loadShadow(db, person.userId)).state, state)
  }
}

function compare({ email }: Person, loaded: ShadowState, state: ShadowState): void {
  if (textOf(loaded) === textOf(state)) return
  throw new Violation('the journal makes the rehearsal', `${email}: ${textOf(loaded)}, not ${textOf(state)}`)
}

const canBuy = ({ settings, nextBuyPrice, blocked, frozen, stop }: Stock): boolean =>
  settings.autoBuy && nextBuyPrice !== null && blocked === null && frozen === null && stop === 'active'

function textOf({ account, outlay }: ShadowState): string {
  const { stocks, orders, ...others } = account.book
  return canonical([[...stocks.values()], [...orders.values()], others, [...outlay]])
}
