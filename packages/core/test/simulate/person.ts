import type { AccountCommand, ExpectedShares, Settings, Stock } from '../../src/index.ts'
import { lotsBehindExpected, remainAmount, tickSize } from '../../src/index.ts'
import type { Broker } from './broker.ts'
import type { Listed } from './broker-types.ts'
import type { Random } from './random.ts'
import { VENUE_CHOICES } from './routes.ts'
import type { Shell } from './shell.ts'

export function randomSettings(random: Random, { price, issue }: Listed, lastBuyPrice: number | null): Settings {
  const tick = tickSize(price, issue.kind)
  return {
    maxBuyPrice: price + tick * random.int(-3, 8),
    maxBuyAmount: random.int(5, 40) * 100_000,
    buyUnitPrice: random.chance(0.1) ? 1 : random.int(1, 6) * 100_000,
    lastBuyPrice,
    recoverLastBuyPrice: random.chance(0.7),
    autoBuy: random.chance(0.9),
    buyPercent: -random.int(5, 80) / 100,
    autoSell: random.chance(0.9),
    sellPercent: random.int(10, 100) / 100,
    useMinSellPrice: random.chance(0.1),
    minSellPrice: price + tick * random.int(-2, 4),
    autoSellWithAvgPrice: random.chance(0.3),
  }
}

/** A person with a quick finger: every command, at any moment. Tickets go to `asked`. */
export class Person {
  readonly asked: { ticket: number; life: number }[] = []
  readonly #random: Random
  readonly #broker: Broker
  readonly #shell: Shell

  constructor(random: Random, broker: Broker, shell: Shell) {
    this.#random = random
    this.#broker = broker
    this.#shell = shell
  }

  ask(command: AccountCommand): void {
    const { life, up } = this.#shell
    if (up) this.asked.push({ ticket: this.#shell.ask(command), life })
  }

  addStock(listed: Listed): void {
    const { issue, name } = listed
    const settings = randomSettings(this.#random, listed, null)
    this.ask({ kind: 'updateStock', code: issue.code, version: null, settings, listing: { issue, name } })
  }

  /** Something is wrong on the screen. */
  get isAsked(): boolean {
    const { stocks, otherServer } = this.#shell.account.book
    const stands = [...stocks.values()].some(({ blocked, frozen }) => blocked !== null || frozen !== null)
    return stands || otherServer.suspected !== null
  }

  /** The person follows the advice. */
  repair(): void {
    if (this.#shell.account.book.otherServer.suspected !== null) this.ask({ kind: 'dismissOtherServer' })
    for (const { issue, blocked, frozen, lots, kept } of this.#shell.account.book.stocks.values()) {
      const taken = lots.filter((lot) => lot.takenOver).map((lot) => lot.id)
      if (taken.length > 0) this.ask({ kind: 'releaseLots', code: issue.code, lotIds: taken })
      if (frozen !== null) {
        this.#settleMove(issue.code, frozen.day)
        continue
      }
      if (blocked === null) continue
      const held = this.#broker.held.get(issue.code) ?? 0
      if (blocked.code === 'mismatch' && kept > held) this.ask({ kind: 'keepShares', code: issue.code, count: held })
      else if (blocked.code === 'mismatch') this.#shell.askWithSnapshot('fixBalance', issue.code)
      else this.ask({ kind: 'applyOrder', code: issue.code })
    }
  }

  /** Most follow the move; some leave everything as it is. */
  #settleMove(code: string, day: string): void {
    if (this.#random.chance(0.15)) return this.ask({ kind: 'keepStock', code, day })
    this.#shell.readFirst((snapshot) => {
      const held = snapshot.balance?.holdings.find((holding) => holding.code === code)?.count ?? 0
      this.#shell.ask({ kind: 'adjustStock', code, day, held, snapshot })
    })
  }

  /** As they see it before the broker is read: the shares may have come since. */
  #giveUp(code: string, stock: Stock, seen: ExpectedShares): void {
    const payers = lotsBehindExpected(stock)
    const [lots, cost] = [payers.length, remainAmount(payers)]
    this.#shell.readFirst((snapshot) => this.#shell.ask({ kind: 'giveUpExpected', code, seen, lots, cost, snapshot }))
  }

  act(): void {
    const random = this.#random
    const listed = random.pick([...this.#broker.stocks.values()])
    const { code } = listed.issue
    const stock = this.#shell.account.book.stocks.get(code)
    if (stock === undefined) return this.addStock(listed)
    if (stock.expected !== null && random.chance(0.1)) return this.#giveUp(code, stock, stock.expected)
    if (random.chance(0.2)) return this.#decide(code, stock)
    switch (random.int(0, 13)) {
      case 0:
      case 1:
        return this.#editSettings(listed, stock)
      case 2:
        return this.ask({ kind: 'sellStock', code })
      case 3:
        return this.ask({
          kind: 'sellAtPrice',
          code,
          price: listed.price + random.int(-300, 300),
          slices: random.int(1, 4),
        })
      case 4:
        return this.ask({ kind: 'sellAtMarket', code })
      case 5:
        return this.#sellTrade(stock)
      case 6:
        return this.ask({ kind: 'cancelOrders', code: random.chance(0.5) ? code : null })
      case 7:
        return this.#cancelOne()
      case 8:
        return this.ask({ kind: 'applyOrder', code })
      case 9:
        return this.#buyNow(listed)
      case 10:
        return this.#shell.askWithSnapshot(
          random.chance(0.5) ? 'checkBalance' : 'fixBalance',
          random.chance(0.5) ? code : null,
        )
      case 11:
        return this.ask({ kind: 'deleteStock', code })
      case 12:
        return this.ask({ kind: 'setSubscribed', code, subscribed: random.chance(0.5) })
      default:
        return this.#stopOrGo(code)
    }
  }

  /** What only the account's owner can say. */
  #decide(code: string, stock: Stock): void {
    switch (this.#random.int(0, 3)) {
      case 0:
        return this.ask({ kind: 'setVenues', venues: this.#random.pick(VENUE_CHOICES) })
      case 1:
        return this.#settleMove(code, stock.frozen?.day ?? '20261116')
      case 2:
        return this.ask({ kind: 'dismissOtherServer' })
      default:
        return this.#keep(stock)
    }
  }

  /** Some of what a correction took over is let go; or a person says how many shares are their own, now and then wrongly. */
  #keep({ issue: { code }, kept, lots }: Stock): void {
    const random = this.#random
    const taken = lots.filter(({ takenOver }) => takenOver).map(({ id }) => id)
    if (taken.length > 0 && random.chance(0.5))
      return this.ask({ kind: 'releaseLots', code, lotIds: [random.pick(taken)] })
    const count = random.chance(0.3) ? random.int(0, 3) : kept
    this.ask({ kind: 'keepShares', code, count })
  }

  #editSettings(listed: Listed, stock: Stock): void {
    const reference = this.#random.chance(0.8) ? stock.settings.lastBuyPrice : null
    const settings = randomSettings(this.#random, listed, reference)
    this.ask({ kind: 'updateStock', code: listed.issue.code, version: stock.version, settings, listing: null })
  }

  #sellTrade(stock: Stock): void {
    if (stock.lots.length === 0) return
    const how = this.#random.pick(['target', 'current', 'market'] as const)
    this.ask({ kind: 'sellTrade', code: stock.issue.code, tradeId: this.#random.pick(stock.lots).id, how })
  }

  #cancelOne(): void {
    const numbers = [...this.#shell.account.book.orders.values()].flatMap((order) => order.odno ?? [])
    if (numbers.length > 0) this.ask({ kind: 'cancelOrder', odno: this.#random.pick(numbers) })
  }

  /** The question about cash goes before the command, as the server asks it. */
  #buyNow({ issue, price }: Listed): void {
    const amount = price * this.#random.int(1, 5)
    this.#shell.askCashFirst((cash, askedAt) =>
      this.ask({ kind: 'marketBuy', code: issue.code, amount, cash, askedAt }),
    )
  }

  #stopOrGo(code: string): void {
    const stop = this.#random.pick(['active', 'active', 'reduce', 'halt'] as const)
    const level = this.#random.pick(['user', 'stock'] as const)
    this.ask({ kind: 'setStop', level, code: level === 'stock' ? code : null, stop })
  }
}
