import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LocalBus, LocalWire } from './bus/local-bus.ts'
import { FreeShards } from './free-shards.ts'

test('the others look once for all that one lets go in a moment, and it does not look for its own', async () => {
  const wire = new LocalWire()
  const looks: string[] = []
  const [one, two] = ['one', 'two'].map((me) => {
    const free = new FreeShards(new LocalBus(wire))
    return {
      free,
      end: free.follow(
        () => me,
        () => looks.push(me),
      ),
    }
  })
  for (let shard = 0; shard < 10; shard += 1) one?.free.publish('one')
  await delay(60)
  expect(looks).toEqual(['two'])
  one?.free.publish('one')
  await delay(60)
  expect(looks).toEqual(['two', 'two'])
  two?.end()
  one?.free.publish('one')
  await delay(60)
  expect(looks).toEqual(['two', 'two'])
})
