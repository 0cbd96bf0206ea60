import { DAY_MS, floorToTick, kstDay, kstInstant, kstMidnight } from '@digger/core'
import { Dice } from '../runtime/random.ts'
import type { SimIssue } from '../exchange/issue.ts'
import type { Account } from '../ledger/account.ts'
import type { Broker } from './broker.ts'
import { byPhone, type PhoneAct } from './phone.ts'

/** Acts of one day, and how often: none on one day of three, seldom two. */
const NONE_BELOW = 1 / 3
const TWO_FROM = 0.85
/** Won of a purchase at most. */
const PURCHASE_WON = 1_000_000

/**
 * The people behind the accounts, now and then at their phones. What they do on a day, and when, follows from the seed, the
 * account and the day alone, so a market that starts in the middle of a day does what is left of it.
 */
export class Owners {
  readonly #broker: Broker

  constructor(broker: Broker) {
    this.#broker = broker
  }

  start(): void {
    const { clock, ledger, hours } = this.#broker
    const now = clock.now()
    const today = kstDay(now)
    if (hours.isOpenDay(today)) for (const account of ledger.accounts.values()) this.#plan(account, today)
    clock.after(kstMidnight(today) + DAY_MS - now, () => this.start())
  }

  #plan(account: Account, day: string): void {
    const { clock, seed, hours } = this.#broker
    const dice = new Dice(seed, account.number, day, 'phone')
    const draw = dice.next()
    const count = draw < NONE_BELOW ? 0 : draw < TWO_FROM ? 1 : 2
    const from = kstInstant(day, '090500') + hours.delayMs(day, 'open')
    const until = kstInstant(day, '151500') + hours.delayMs(day, 'close')
    for (let n = 0; n < count; n++) {
      const at = dice.within([from, until])
      if (at > clock.now()) clock.after(at - clock.now(), () => this.#act(account, new Dice(seed, account.number, at)))
    }
  }

  /** What the broker refuses is not done: a person shrugs. */
  #act(account: Account, dice: Dice): void {
    this.#broker.assumed.decide('phone')
    const [kind, which] = [dice.next(), dice.next()]
    const resting = [...account.live]
    const order = resting[Math.floor(which * resting.length)]
    if (order && kind < 0.4) byPhone(this.#broker, account, { kind: 'cancel', odno: order.odno })
    else byPhone(this.#broker, account, this.#order(account, dice, kind < 0.7))
  }

  #order(account: Account, dice: Dice, rests: boolean): PhoneAct {
    const issue = this.#issueFor(account, dice)
    const { code, kind } = issue.listing
    const free = account.truth.count(code) - account.locked(code)
    const side = free > 0 && dice.chance(0.5) ? 'sell' : 'buy'
    const away = rests ? 0.02 + 0.04 * dice.next() : 0
    const best = side === 'buy' ? issue.ask : issue.bid
    const price = floorToTick(side === 'buy' ? best * (1 - away) : best * (1 + away), kind)
    const won = Math.min(PURCHASE_WON, account.orderable() * 0.02)
    const count = Math.max(1, Math.floor(side === 'buy' ? won / price : free * 0.3))
    return { kind: 'order', code, side, count, price }
  }

  /** Mostly one that the account holds. */
  #issueFor(account: Account, dice: Dice): SimIssue {
    const { exchange } = this.#broker
    const held = [...account.truth.positions.values()].filter(({ count }) => count > 0).map(({ code }) => code)
    const codes = held.length > 0 && dice.chance(0.75) ? held.sort() : [...exchange.issues.keys()]
    return exchange.issue(codes[Math.floor(dice.next() * codes.length)] ?? '')
  }
}
