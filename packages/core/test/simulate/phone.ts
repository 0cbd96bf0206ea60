import { tickSize } from '../../src/index.ts'
import type { Broker } from './broker.ts'
import type { Faults } from './faults.ts'
import type { Monitor } from './monitor.ts'
import type { Random } from './random.ts'

interface Parts {
  readonly random: Random
  readonly faults: Faults
  readonly broker: Broker
  readonly monitor: Monitor
  /** Won that come from outside. */
  deposit(amount: number): void
}

/** The owner in the broker's own app, or another program on the same account: none of it asks Digger. */
export class Phone {
  readonly #simulation: Parts

  constructor(simulation: Parts) {
    this.#simulation = simulation
  }

  everySecond(): void {
    const { faults, monitor, broker, random } = this.#simulation
    const ours = broker.live.filter((order) => order.label !== null)
    if (ours.length > 0 && faults.strikes('cancelledByPhone')) broker.endByPhone(random.pick(ours), null)
    if (!monitor.outside) return
    if (ours.length > 0 && faults.strikes('changedByPhone')) {
      const order = random.pick(ours)
      const tick = tickSize(order.price, broker.stocks.get(order.code)?.issue.kind ?? 'stock')
      if (order.type === 'limit') {
        if (order.side === 'buy') this.#simulation.deposit(order.count * tick * 5)
        broker.endByPhone(order, { price: order.price + tick * random.int(-5, 5) })
      }
    }
    if (faults.strikes('outsideTrade')) this.#trade()
  }

  /** Its buys bring their own cash. */
  #trade(): void {
    const { random, broker, faults } = this.#simulation
    const stock = random.pick([...broker.stocks.values()])
    const [where] = broker.routesOf(stock)
    if (where === undefined) return
    const { venue, session } = where
    const twin = faults.strikes('outsideTwin') ? broker.orders.findLast((order) => order.label !== null) : undefined
    const side = twin?.side ?? random.pick(['buy', 'sell'] as const)
    const price = twin?.price ?? this.#priceOf(stock.price, tickSize(stock.price, stock.issue.kind), side)
    const count = twin?.count ?? random.int(1, 5)
    if (side === 'buy') this.#simulation.deposit(count * stock.band.upper)
    const type = price === 0 ? 'market' : 'limit'
    const code = twin?.code ?? stock.issue.code
    broker.take({ label: null, code, side, type, price, count, venue, session })
  }

  /** At once, or resting some ticks away. */
  #priceOf(price: number, tick: number, side: 'buy' | 'sell'): number {
    const { random } = this.#simulation
    const away = random.chance(0.4) ? random.int(1, 10) * tick : 0
    return side === 'buy' ? price - away : price + away
  }
}
