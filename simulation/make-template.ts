import type { DatabaseModel } from './database/model.ts'
import { setWorld, World } from './machine/world.ts'
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
  const world = new World(0, Date.parse('2026-11-22T12:00:00+09:00'))
  setWorld(world)
  const stage = new Stage(world, plan, new Story(world), database)
  const people = plan.accounts.map((_, index) => new Person(stage, index))
  stage.open()
  let done = false
  world.at(8_000, stage.people, () => {
    Promise.all(people.map((person) => person.signUp()))
      .then(() => (done = true))
      .catch((error: unknown) => world.fail(error))
  })
  try {
    await world.run(20_000)
  } finally {
    world.close()
    setWorld(null)
    if (!done) process.stderr.write(`nobody could sign up:\n${stage.story.lines.join('\n')}\n`)
  }
  database.query('update users set digger_admin = true where email = $1', [emailOf(0)])
  database.keepTemplate()
}
