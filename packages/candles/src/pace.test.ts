import { TestClock } from '@digger/database/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

/** Lets what waits go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('in no minute there are more calls than may be, whatever is taken together', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 30 }),
      fc.constantFrom(6, 20, 120),
      async (wanted, perMinute) => {
        const clock = new TestClock()
        const pace = new Pace({ clock, perMinute: () => perMinute })
        const taken: { at: number; calls: number }[] = []
        const all = (async () => {
          for (const calls of wanted) if (await pace.take(calls)) taken.push({ at: clock.now(), calls })
        })()
        while (taken.length < wanted.length) {
          await settled()
          clock.advance(1_000)
        }
        await all
        for (const { at } of taken) {
          const inMinute = taken.filter((other) => other.at >= at && other.at < at + 60_000)
          // What is taken in one go may begin at the end of its minute.
          const before = inMinute.slice(0, -1).reduce((sum, { calls }) => sum + calls, 0)
          expect(before).toBeLessThanOrEqual(perMinute)
        }
      },
    ),
    { numRuns: 30 },
  ))

test('it follows the hour: slower while the market is open', async () => {
  const clock = new TestClock()
  let perMinute = 60
  const pace = new Pace({ clock, perMinute: () => perMinute })
  expect(await pace.take(1)).toBe(true)
  perMinute = 6
  const second = pace.take(1)
  clock.advance(1_000)
  expect(await second).toBe(true)
  let isThere = false
  const third = pace.take(1).then(() => (isThere = true))
  clock.advance(9_000)
  await settled()
  expect(isThere).toBe(false)
  clock.advance(1_000)
  await third
  expect(isThere).toBe(true)
})

test('whoever waits is let go at the end, and nobody begins any more', async () => {
  const clock = new TestClock()
  const pace = new Pace({ clock, perMinute: () => 1 })
  expect(await pace.take(1)).toBe(true)
  const waiting = pace.take(1)
  pace.stop()
  expect(await waiting).toBe(false)
  clock.advance(600_000)
  expect(await pace.take(1)).toBe(false)
})
