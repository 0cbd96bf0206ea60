import { setSimulation, Simulation } from './machine/simulation.ts'
import { Checks } from './checks/checks.ts'
import type { LifeFigures } from './checks/life.ts'
import { checkBooks } from './checks/end.ts'
import type { LookCount } from './looks.ts'
import { Violation } from './violation.ts'
import type { DatabaseModel } from './database/model.ts'
import { FAULT_BY_NAME } from './faults/all.ts'
import { allCodes } from './faults/market.ts'
import { Person } from './people/person.ts'
import { PRESS_BY_NAME } from './people/presses.ts'
import type { Plan } from './planned.ts'
import { Stage } from './stage.ts'
import { Story } from './story.ts'

export interface Outcome {
  readonly plan: Plan
  readonly failure: Violation | null
  readonly story: readonly string[]
  readonly simulatedMs: number
  readonly steps: number
  readonly orders: number
  readonly fills: number
  readonly queuePeak: number
  readonly life: LifeFigures | null
  readonly looks: Readonly<Record<string, LookCount>>
  /** Kinds of faults that struck, and of what people pressed, once for each time. */
  readonly struck: readonly string[]
  readonly pressed: readonly string[]
}

/** People come when the first server answers; whatever they meet there, they try again. */
const PEOPLE_COME_MS = 4_000
/** Without a trade for so long, every fill is listed and booked, ms. */
const STILL_MS = 20_000
/** The last look at the books takes a minute at most, or longer when people still have something to set right. */
const LAST_LOOK_MINUTES = 4

/** Runs one plan from its beginning to its end, or to the first broken promise. */
export async function simulate(plan: Plan, database: DatabaseModel): Promise<Outcome> {
  await database.reset()
  const simulation = new Simulation(plan.seed, Date.parse(plan.start))
  setSimulation(simulation)
  simulation.onCrash = (process, error) => {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    simulation.fail(new Violation('no process dies of an error', `${process.name} died: ${why}`))
  }
  const story = new Story(simulation)
  const stage = new Stage(simulation, plan, story, database)
  const people = plan.accounts.map((_, index) => new Person(stage, index))
  const checks = new Checks(stage, people)
  const { safety, life } = checks
  const result: { life: LifeFigures | null } = { life: null }
  stage.open()
  checks.begin(PEOPLE_COME_MS)
  const happened = schedule(stage, people)
  act(stage, plan.calmAt, async () => void (result.life = await life.check()))
  let failure: Violation | null = null
  try {
    await runToEnd(stage, people, checks)
    if (result.life === null) throw new Violation('life is checked', 'the check did not come to its end')
    const { blind } = stage.looks
    if (blind.length > 0) throw new Violation('each check looked', blind.join('; '))
  } catch (error) {
    failure =
      error instanceof Violation
        ? error
        : new Violation('the run goes on', error instanceof Error ? (error.stack ?? error.message) : String(error))
    story.add(`FAILED ${failure.message}`)
  }
  const { now, steps } = simulation
  // What the servers log while their lines are taken down is no part of the run.
  const lines = [...story.lines]
  await simulation.close()
  setSimulation(null)
  const { orders, fills } = safety
  return {
    plan,
    failure,
    story: lines,
    simulatedMs: now,
    steps,
    orders,
    fills,
    queuePeak: life.queuePeak,
    life: result.life,
    looks: stage.looks.counts,
    ...happened,
  }
}

/** The market of the plan, and then what only shows when nothing trades any more. */
async function runToEnd(stage: Stage, people: readonly Person[], checks: Checks): Promise<void> {
  const { simulation, plan } = stage
  await simulation.run(plan.endAt)
  stopMarket(stage)
  await simulation.run(plan.endAt + STILL_MS)
  const lastLook = { isOver: false }
  act(stage, simulation.now, async () => {
    await checkBooks(stage, people, checks)
    await checks.end()
    stage.looks.count('the end', true)
    lastLook.isOver = true
  })
  for (let minute = 1; !lastLook.isOver && minute <= LAST_LOOK_MINUTES; minute++)
    await simulation.run(plan.endAt + STILL_MS + minute * 60_000)
}

/** What people's browsers do at an instant; what they find broken ends the run. */
function act({ simulation, people }: Stage, at: number, run: () => Promise<unknown>): void {
  simulation.at(at, people, () => {
    run().catch((error: unknown) => simulation.fail(error))
  })
}

/** Nothing trades any more. */
function stopMarket(stage: Stage): void {
  stage.simulation.enter(stage.brokerProcess, () => {
    for (const code of allCodes(stage)) stage.sim.setHalted(code, true)
  })
}

/** Plans everything; what it returns fills while the run goes on. */
function schedule(stage: Stage, people: readonly Person[]): Pick<Outcome, 'struck' | 'pressed'> {
  const { simulation, plan, story } = stage
  const struck: string[] = []
  const pressed: string[] = []
  for (const person of people) {
    act(stage, PEOPLE_COME_MS + person.index * 100, async () => {
      await person.logIn()
      person.watchLive()
      await person.saveVenues()
      await person.saveSettings()
      await person.saveLimits()
    })
  }
  for (const fault of plan.faults) {
    simulation.at(fault.at, null, () => {
      struck.push(fault.name)
      story.add(`FAULT ${fault.name} for ${fault.forMs / 1_000} s (${fault.draw.toFixed(2)})`)
      const end = FAULT_BY_NAME[fault.name]?.strike(stage, fault.draw, fault.forMs)
      simulation.after(fault.forMs, null, () => {
        if (fault.forMs > 1_000) story.add(`${fault.name} is over`)
        end?.()
      })
    })
  }
  for (const press of plan.presses) {
    const person = people[press.person]
    const code = person?.codes[press.stock] ?? ''
    if (person === undefined) continue
    act(stage, press.at, () => {
      pressed.push(press.name)
      story.add(`PRESS ${press.name} by ${person.email}, of ${code}`)
      return Promise.resolve(PRESS_BY_NAME[press.name]?.act(person, code, press.draw))
    })
  }
  return { struck, pressed }
}
