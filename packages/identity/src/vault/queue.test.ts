import { describe, expect, test } from 'vitest'
import { HashQueue, type Lane } from './queue.ts'

/** A queue whose two slots are taken until `free` is called; says in which order the others ran. */
async function busyQueue() {
  const queue = new HashQueue()
  const hold = Promise.withResolvers<void>()
  const held = [1, 2].map(() => queue.run('strange', 'first', () => hold.promise))
  const ran: string[] = []
  const refused: string[] = []
  const asked: Promise<unknown>[] = []
  const ask = (lane: Lane, from: string, name = from): void => {
    const work = async () => void ran.push(name)
    asked.push(queue.run(lane, from, work).catch(() => void refused.push(name)))
  }
  const free = async () => {
    hold.resolve()
    await Promise.all([...held, ...asked])
  }
  return { ask, free, ran, refused }
}

describe('who waits for a slow hash', () => {
  test('goes after those who have proven something', async () => {
    const { ask, free, ran } = await busyQueue()
    ask('strange', 'a')
    ask('strange', 'b')
    ask('known', 'owner')
    await free()
    expect(ran).toEqual(['owner', 'a', 'b'])
  })

  test('takes turns with others, however many places one has', async () => {
    const { ask, free, ran } = await busyQueue()
    for (const name of ['a1', 'a2', 'a3']) ask('strange', 'a', name)
    ask('strange', 'b', 'b1')
    ask('strange', 'c', 'c1')
    ask('strange', 'b', 'b2')
    await free()
    expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('is refused where all places are taken, and those who have most give up theirs', async () => {
    const { ask, free, ran, refused } = await busyQueue()
    for (let n = 0; n < 400; n++) ask('strange', 'flood', `flood ${n}`)
    for (let n = 0; n < 400; n++) ask('strange', `other ${n}`)
    await free()
    expect(ran).toHaveLength(16)
    expect(refused).toHaveLength(784)
    expect(ran.filter((name) => name.startsWith('flood'))).toEqual(['flood 0'])
  })

  test('is bounded for people who are known, too', async () => {
    const { ask, free, ran, refused } = await busyQueue()
    for (let n = 0; n < 150; n++) ask('known', 'owner', `${n}`)
    await free()
    expect([ran.length, refused.length]).toEqual([100, 50])
  })

  test('runs although the work before it failed', async () => {
    const queue = new HashQueue()
    const failing = Array.from({ length: 5 }, () => queue.run('known', '', () => Promise.reject(new Error('broken'))))
    await Promise.allSettled(failing)
    expect(await queue.run('strange', '', async () => 'ran')).toBe('ran')
  })
})
