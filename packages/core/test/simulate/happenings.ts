import type { Agenda } from './agenda.ts'
import type { Broker } from './broker.ts'
import type { Listed } from './broker-types.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { Shell } from './shell.ts'

interface Parts {
  readonly agenda: Agenda
  readonly random: Random
  readonly faults: Faults
  readonly broker: Broker
  readonly shell: Shell
}

/** What a market does to one stock in the middle of a day, each over after a while. */
export class Happenings {
  readonly #simulation: Parts

  constructor(simulation: Parts) {
    this.#simulation = simulation
  }

  /** Before the first session. */
  morning(): void {
    const { broker, faults, shell, random } = this.#simulation
    for (const stock of broker.stocks.values()) {
      stock.offNxt = false
      if (stock.issue.kind === 'stock' && faults.strikes('nxtListChanged'))
        stock.issue = { ...stock.issue, nxt: !stock.issue.nxt }
      // A server asks for the list each morning; where it could not, only refusals tell.
      if (!faults.on || random.chance(0.8))
        shell.post({ kind: 'issue', code: stock.issue.code, name: stock.name, issue: stock.issue })
      if (faults.strikes('haltedInMorning')) this.#halt([stock], random.int(65, 120) * 60_000)
    }
  }

  everySecond(): void {
    const { broker, faults, random } = this.#simulation
    const stocks = [...broker.stocks.values()]
    if (faults.strikes('halt')) this.#halt([random.pick(stocks)], random.int(5_000, 40_000))
    if (faults.strikes('circuitBreaker')) this.#halt(stocks, random.int(20_000, 1_200_000))
    if (faults.strikes('singlePrice')) this.#collect(random.pick(stocks), random.int(10_000, 60_000))
    const onNxt = stocks.filter(({ issue, offNxt }) => issue.nxt && !offNxt)
    if (onNxt.length > 0 && faults.strikes('nxtSuspended')) broker.withdrawFromNxt(random.pick(onNxt))
  }

  /** Everything as on an ordinary day. */
  end(): void {
    for (const stock of this.#simulation.broker.stocks.values()) {
      stock.halted = false
      stock.haltPublished = false
      stock.collects = false
      stock.offNxt = false
    }
  }

  /** The quotes say so, or only the refusals do. */
  #halt(stocks: readonly Listed[], ms: number): void {
    const { agenda, random, shell } = this.#simulation
    const isPublished = random.chance(0.6)
    for (const stock of stocks) {
      stock.halted = true
      stock.haltPublished = isPublished
      shell.onPrice(stock.issue.code)
    }
    agenda.after(ms, () => {
      for (const stock of stocks) {
        stock.halted = false
        stock.haltPublished = false
      }
    })
  }

  #collect(stock: Listed, ms: number): void {
    const { agenda, broker } = this.#simulation
    stock.collects = true
    agenda.after(ms, () => {
      stock.collects = false
      broker.match(stock.issue.code)
    })
  }
}
