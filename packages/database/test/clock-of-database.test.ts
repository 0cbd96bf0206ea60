import { expect, test } from 'vitest'
import { DatabaseClock } from '../src/database-clock.ts'
import { TestClock } from './clock.ts'

/** A database whose clock is `ahead` of the machine's, and whose answer takes `ms`. */
const databaseOf = (machine: TestClock, how: { ahead: number; ms: number }) => async (): Promise<number> => {
  machine.advance(how.ms / 2)
  const at = machine.now() + how.ahead
  machine.advance(how.ms / 2)
  return at
}

test.each([-3_600_000, 0, 25_000])('a machine whose database is %i ms ahead counts by the database', async (ahead) => {
  const machine = new TestClock()
  const clock = await DatabaseClock.open(databaseOf(machine, { ahead, ms: 40 }), machine)
  expect(clock.now() - machine.now()).toBe(ahead)
  clock.end()
})

test('a clock that is set meanwhile is noticed within ten seconds', async () => {
  const machine = new TestClock()
  const how = { ahead: 0, ms: 0 }
  const clock = await DatabaseClock.open(databaseOf(machine, how), machine)
  how.ahead = 90_000
  machine.advance(10_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(clock.now() - machine.now()).toBe(90_000)
  clock.end()
})

test('an answer that was long on its way moves nothing', async () => {
  const machine = new TestClock()
  const how = { ahead: 25_000, ms: 40 }
  const clock = await DatabaseClock.open(databaseOf(machine, how), machine)
  how.ahead = 27_000
  how.ms = 3_000
  await clock.look()
  expect(clock.now() - machine.now()).toBe(25_000)
  how.ms = 40
  await clock.look()
  expect(clock.now() - machine.now()).toBe(27_000)
  clock.end()
})
