import { afterEach, expect, test, vi } from 'vitest'
import { Background } from './background.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
afterEach(() => void vi.unstubAllGlobals())

let now = 0
const done: string[] = []
/** A piece that takes so long, ms. */
const piece = (name: string, ms: number) => () => {
  now += ms
  done.push(name)
}
const taken = (): string[] => done.splice(0)

test('each turn does pieces in their order until its part is used up, of whatever kind they are', async () => {
  const background = new Background(2, () => now)
  for (const name of ['a', 'b', 'c', 'd', 'e']) background.run(piece(name, 1))
  expect(taken()).toEqual([])
  await turn()
  expect(taken()).toEqual(['a', 'b'])
  // What comes now stands behind what waits.
  background.run(piece('f', 1))
  await turn()
  expect(taken()).toEqual(['c', 'd'])
  await turn()
  expect(taken()).toEqual(['e', 'f'])
  background.run(piece('g', 1))
  await turn()
  expect(taken()).toEqual(['g'])
})

test('however long a piece takes, each turn does one: nothing waits for ever', async () => {
  const background = new Background(2, () => now)
  for (const name of ['a', 'b', 'c']) background.run(piece(name, 50))
  await turn()
  expect(taken()).toEqual(['a'])
  await turn()
  expect(taken()).toEqual(['b'])
  await turn()
  expect(taken()).toEqual(['c'])
})

test('what follows on a turn of its own counts, too, up to its next wait', async () => {
  const background = new Background(2, () => now)
  const list = async (name: string): Promise<void> => {
    await background.own()
    await Promise.resolve().then(piece(`${name} begun`, 1))
    piece(`${name} made`, 1)()
  }
  const lists = Promise.all(['a', 'b', 'c'].map(list))
  await turn()
  expect(taken()).toEqual(['a begun', 'a made'])
  await lists
  expect(taken()).toEqual(['b begun', 'b made', 'c begun', 'c made'])
})

test('what comes over a socket waits for one part at most, however much there is to do', async () => {
  // The part of the product, by a clock that only the work moves: a busy machine takes turns away from everybody.
  const background = new Background(undefined, () => now)
  const until = now + 200
  const more = (): void => {
    now += 0.5
    if (now < until) background.run(more)
  }
  for (let n = 0; n < 100; n += 1) background.run(more)
  const waits: number[] = []
  for (let asked = now; asked < until; asked = now) {
    await turn()
    waits.push(now - asked)
  }
  expect(waits.length).toBeGreaterThan(10)
  expect(Math.max(...waits)).toBe(2)
})

test('one that fails keeps no other from being done', () => {
  const later: (() => void)[] = []
  vi.stubGlobal('setImmediate', (run: () => void) => later.push(run))
  const background = new Background(2, () => now)
  background.run(() => {
    throw new Error('failed')
  })
  background.run(piece('a', 1))
  expect(() => later.shift()?.()).toThrow('failed')
  later.shift()?.()
  expect([taken(), later]).toEqual([['a'], []])
})
