import type { Fact } from '@digger/kis-sim'
import type { Person } from '../people/person.ts'
import type { RunningServer, Stage } from '../stage.ts'
import { Violation } from '../violation.ts'
import { tapOrders } from '../wiretap.ts'
import { Answers } from './answers.ts'
import { Books } from './books.ts'
import { Life } from './life.ts'
import { Push } from './push.ts'
import { Questions } from './questions.ts'
import { Noticed } from './noticed.ts'
import { Rehearsals } from './rehearsals.ts'
import { CommittedRows } from './rows.ts'
import { Safety } from './safety.ts'
import { Strays } from './strays.ts'

/** What a line that was cut has kept is sent again so long after it is back, at most: the kernel's pauses double up to 51 s, ms. */
const LINES_FLOW_MS = 60_000
const QUEUES_EVERY_MS = 5_000
/** The pretend broker stands by then, ms. */
const BROKER_STANDS_MS = 500

/** Everything that is looked at in a run. */
export class Checks {
  readonly safety: Safety
  readonly books: Books
  readonly life: Life
  readonly questions: Questions
  readonly push: Push
  readonly strays: Strays
  readonly noticed: Noticed
  readonly rehearsals: Rehearsals
  readonly #stage: Stage
  readonly #answers: Answers
  readonly #facts: Fact[] = []

  constructor(stage: Stage, people: readonly Person[]) {
    const rows = new CommittedRows(stage)
    this.#stage = stage
    this.strays = new Strays(stage, rows)
    this.safety = new Safety(stage, people, rows, this.strays)
    this.books = new Books(stage, people, rows, this.strays)
    this.#answers = new Answers(stage, people, rows, this.#facts)
    this.noticed = new Noticed(stage, people, rows, this.strays)
    this.rehearsals = new Rehearsals(stage, rows)
    this.life = new Life(stage, people, {
      rows,
      facts: this.#facts,
      noticed: this.noticed,
      rehearsals: this.rehearsals,
    })
    this.questions = new Questions(stage, people, rows)
    this.push = new Push(stage, people)
    this.life.onCalm = () => {
      stage.simulation.after(LINES_FLOW_MS, null, () => this.push.begin())
      this.#answers.calm()
      this.questions.begin()
    }
  }

  begin(queuesFrom: number): void {
    const stage = this.#stage
    const { simulation } = stage
    tapOrders(stage, (order) => {
      simulation.check(() => this.safety.sent(order))
      stage.orderWritten.come(order)
    })
    stage.onDatabaseLost = (server, why) => this.#lookForRival(server, why)
    simulation.at(BROKER_STANDS_MS, stage.brokerProcess, () => {
      stage.sim.broker.exchange.listen({
        // The server watches the exchange's own tape, not Nextrade's.
        printed: ({ listing }, venue, _, expected) => {
          if (venue === 'KRX' && !expected) this.push.traded(listing.code)
        },
      })
      stage.sim.broker.ledger.onFact((fact) => {
        this.#facts.push(fact)
        simulation.check(() => this.safety.happened(fact))
        this.books.happened(fact)
      })
    })
    this.#answers.begin()
    this.books.begin()
    const queues = (): void => {
      simulation.check(() => this.life.noteQueues())
      simulation.after(QUEUES_EVERY_MS, null, queues)
    }
    simulation.at(queuesFrom, null, queues)
  }

  /** No fault takes the database away for as long as a server waits for it: only another server may have it, or have had it. */
  #lookForRival({ name, process }: RunningServer, why: string): void {
    const { servers, simulation } = this.#stage
    const isRivalled = servers.some((other) => other.process.alive && other.process !== process)
    if (isRivalled || this.#stage.wasTakenOver(process)) return
    simulation.fail(new Violation('a server stays', `server ${name} has no rival, and left: ${why}`))
  }

  /** When nothing trades any more. */
  async end(): Promise<void> {
    await this.questions.checkEnd()
    await this.push.checkEnd()
  }
}
