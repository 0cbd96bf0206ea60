import type { Stock } from '@digger/contract'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { isFed } from './broker-socket.ts'
import { lookAgain } from './look-again.ts'
import { Violation } from '../violation.ts'

/** From a trade to the page of whoever watches the stock, ms. */
const PUSH_MS = 2_000
/** One trade of each stock is followed in so long, ms. */
const EVERY_MS = 10_000

/** Fields of a card that change only with the account itself: not with the price, nor with time. */
const LASTING = [
  'version',
  'stop',
  'blocked',
  'autoBuy',
  'autoSell',
  'remainCount',
  'remainAmount',
  'accGainAmount',
  'lastBuyPrice',
  'nextBuyPrice',
] as const satisfies readonly (keyof Stock)[]

/** In calm a page that is open shows what happens, without asking. */
export class Push {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #followed = new Map<string, number>()
  #calm = false

  constructor(stage: Stage, people: readonly Person[]) {
    this.#stage = stage
    this.#people = people
  }

  /** From now on everything is well. */
  begin(): void {
    this.#calm = true
  }

  /** Somebody traded a stock at the exchange. */
  traded(code: string): void {
    const { simulation } = this.#stage
    if (!this.#calm || simulation.now - (this.#followed.get(code) ?? -EVERY_MS) < EVERY_MS) return
    this.#followed.set(code, simulation.now)
    const at = simulation.now
    const watching = this.#people.filter(
      (person) => person.live?.openSince != null && person.codes.includes(code) && isFed(this.#stage, person, code),
    )
    const streams = watching.map((person) => ({ person, live: person.live, since: person.live?.openSince }))
    simulation.after(PUSH_MS, null, () => {
      for (const { person, live, since } of streams) {
        const isStillFed = live?.openSince === since && isFed(this.#stage, person, code)
        if (!this.#stage.looks.count('pushed prices', isStillFed)) continue
        if ((live?.prices.get(code)?.at ?? -1) < at)
          simulation.fail(
            new Violation('prices are pushed', `${person.email}: ${code} traded ${PUSH_MS} ms ago, and no price came`),
          )
      }
    })
  }

  async checkEnd(): Promise<void> {
    for (const person of this.#people) {
      for (const code of person.live?.cards.keys() ?? []) {
        // A card leaves ten times a second at most: what changes as it is asked for is pushed a moment later.
        const wrong = await lookAgain(PUSH_MS, () => this.#differences(person, code))
        if (wrong.length > 0)
          throw new Violation('what is pushed is so', `${person.email}: ${code}: ${wrong.join('; ')}`)
      }
    }
  }

  async #differences(person: Person, code: string): Promise<readonly string[]> {
    const asked = await person.stock(code)
    const pushed = person.live?.cards.get(code)
    if (!this.#stage.looks.count('pushed cards', asked !== null && pushed !== undefined)) return []
    return LASTING.filter((field) => asked?.[field] !== pushed?.[field]).map(
      (field) => `${field} ${pushed?.[field]}, asked ${asked?.[field]}`,
    )
  }
}
