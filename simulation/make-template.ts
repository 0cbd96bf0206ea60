import type { DatabaseModel } from './database/model.ts'
import { setSimulation, Simulation } from './machine/simulation.ts'
import { Person } from './people/person.ts'
import { makePlan } from './plan.ts'
import { Stage } from './stage.ts'
import { Story } from './story.ts'
import { emailOf } from './template.ts'

/**
 * Makes the tables, and signs everybody up, through the product's own start and calls; every run begins there. It also
 * loads what programs load when they are first used, which would make a first run differ from the others.
 */
export async function makeTemplate(database: DatabaseModel): Promise<void> {
  const plan = makePlan(0)
  const simulation = new Simulation(0, Date.parse('2026-11-22T12:00:00+09:00'))
  setSimulation(simulation)
  const stage = new Stage(simulation, plan, new Story(simulation), database)
  const people = plan.accounts.map((_, index) => new Person(stage, index))
  stage.open()
  let done = false
  simulation.at(8_000, stage.people, () => {
    Promise.all(people.map((person) => person.signUp()))
      .then(() => (done = true))
      .catch((error: unknown) => simulation.fail(error))
  })
  try {
    await simulation.run(20_000)
  } finally {
    await simulation.close()
    setSimulation(null)
    if (!done) process.stderr.write(`nobody could sign up:\n${stage.story.lines.join('\n')}\n`)
  }
  // They choose their stocks themselves.
  database.query('update users set may_add_stocks = true')
  database.query('update users set digger_admin = true where email = $1', [emailOf(0)])
  database.keepTemplate()
}
