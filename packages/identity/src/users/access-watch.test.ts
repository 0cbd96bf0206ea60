import { beforeEach, expect, test } from 'vitest'
import { TestClock } from '@digger/database/testing'
import { AccessWatch } from './access-watch.ts'

let clock: TestClock
let watch: AccessWatch
let answer: () => Promise<boolean>
beforeEach(() => {
  clock = new TestClock()
  watch = new AccessWatch(clock)
  answer = async () => true
})

/** Adds one and counts what is asked of it. */
function add() {
  const seen = { asked: [] as number[], ended: 0, leave: () => {} }
  const began = clock.now()
  seen.leave = watch.add({
    confirm: () => {
      seen.asked.push(clock.now() - began)
      return answer()
    },
    end: () => void (seen.ended += 1),
  })
  return seen
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    clock.advance(250)
    await new Promise(setImmediate)
  }
}

test('asks for each right every five seconds, for those that came together in the same moment', async () => {
  const [one, two] = [add(), add()]
  await pass(1_100)
  const later = add()
  await pass(14_000)
  expect(one.asked).toEqual([5_000, 10_000, 15_000])
  expect(two.asked).toEqual(one.asked)
  expect(later.asked).toHaveLength(2)
  expect([one.ended, two.ended, later.ended]).toEqual([0, 0, 0])
})

test('ends what may no longer be, and only that', async () => {
  const one = add()
  answer = async () => false
  await pass(5_000)
  expect(one.ended).toBe(1)
})

test('ends what nobody could confirm three times in a row; an answer in between is enough', async () => {
  const one = add()
  answer = () => Promise.reject(new Error('away'))
  await pass(14_000)
  answer = async () => true
  await pass(5_000)
  answer = () => Promise.reject(new Error('away'))
  await pass(15_000)
  expect(one.ended).toBe(0)
  await pass(5_000)
  expect(one.ended).toBeGreaterThan(0)
})

test('an answer that comes late counts for its own question only', async () => {
  const one = add()
  const questions: PromiseWithResolvers<boolean>[] = []
  answer = () => {
    const question = Promise.withResolvers<boolean>()
    questions.push(question)
    return question.promise
  }
  await pass(15_000)
  questions[0]?.resolve(true)
  await pass(5_000)
  expect([one.ended, one.asked]).toEqual([0, [5_000, 10_000, 15_000, 20_000]])
  await pass(5_000)
  expect(one.ended).toBe(1)
})

test('nothing is asked after the last has left, and again for the next', async () => {
  const one = add()
  one.leave()
  await pass(20_000)
  expect(one.asked).toEqual([])
  const two = add()
  await pass(6_000)
  expect(two.asked).toHaveLength(1)
})
