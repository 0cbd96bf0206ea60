import type { Fact } from '@digger/kis-sim'
import type { Asked, Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { isLineHeld } from './broker-socket.ts'
import { isExcused } from './excuses.ts'
import { RehearsedAnswers } from './rehearsed-answers.ts'
import type { CommittedRows } from './rows.ts'
import { TradesAsked } from './trades-asked.ts'
import { Violation } from '../violation.ts'
import { Word } from './word.ts'

/** Everybody is answered within this, whatever the database and the broker do; in calm within the second, ms. */
const ANSWER_MS = 44_000
const CALM_ANSWER_MS = 5_000
/** What holds the book against the broker reads its lists first, and those of the second comparison, ms. */
const CALM_COMPARISON_MS = 20_000
const SOCKET_PATH = '/api/user/socket'
const COMPARISON = /\/(fix-balance|order\/apply)$/
const LOOK_MS = 5_000
/** The server may need so long after it stood still, ms. */
const RECOVERY_MS = 10_000
/** A line to the database that fell silent is cut after 35 s; then others are made, ms. */
const DATABASE_MS = 60_000
/** What only whoever reads the source should ever see. */
const INSIDE = /\n\s+at |node_modules|\/src\/|Error:/

/** What people are told is true, and they are told in time. */
export class Answers {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #word: Word
  readonly #trades: TradesAsked
  readonly #rehearsed: RehearsedAnswers
  #calmSince = Infinity

  constructor(stage: Stage, people: readonly Person[], rows: CommittedRows, facts: readonly Fact[]) {
    this.#stage = stage
    this.#people = people
    this.#word = new Word(stage, rows)
    this.#trades = new TradesAsked(stage, people, rows, facts)
    this.#rehearsed = new RehearsedAnswers(stage, rows)
  }

  begin(): void {
    const { simulation } = this.#stage
    for (const person of this.#people) {
      person.witness = {
        asks: (one) => {
          this.#word.asks(person, one)
          this.#trades.asks(person, one)
          this.#rehearsed.asks(person, one)
        },
        answered: (one) => this.#answered(person, one),
      }
    }
    const look = (): void => {
      try {
        for (const person of this.#people) this.#word.look(person)
      } catch (error) {
        simulation.fail(error)
      }
      simulation.after(LOOK_MS, null, look)
    }
    simulation.after(LOOK_MS, null, look)
  }

  /** From now on everything is well. What was asked before may still wait for what a fault left behind. */
  calm(): void {
    this.#calmSince = this.#stage.simulation.now
  }

  #answered(person: Person, one: Asked): void {
    const { plan, simulation } = this.#stage
    const { status, text } = one.answer ?? { status: 0, text: '' }
    const took = Math.round(simulation.now - one.at)
    const what = `${person.email}: ${one.method} ${one.path} after ${took} ms: ${status} ${text.slice(0, 200)}`
    const within = COMPARISON.test(one.path) ? CALM_COMPARISON_MS : CALM_ANSWER_MS
    // The broker has another line of this person's, perhaps of the server before: `Life` waits for a better answer.
    const isLineRefused = one.path === SOCKET_PATH && status === 502 && isLineHeld(this.#stage, person)
    const isGood = this.#rehearsed.answered(person, one) || status === 200 || isLineRefused
    if (one.at >= this.#calmSince && (took > within || !isGood)) throw new Violation('people are answered', what)
    if (took > ANSWER_MS && !isExcused(plan, 'noAnswer', one.at, simulation.now, RECOVERY_MS))
      throw new Violation('people are answered', what)
    if (status >= 400 && INSIDE.test(text)) throw new Violation('answers tell nothing of the inside', what)
    if (status === 500 && !isExcused(plan, 'internal', one.at, simulation.now, DATABASE_MS))
      throw new Violation('nothing breaks inside', what)
    this.#word.answered(person, one)
    this.#trades.answered(person, one)
  }
}
