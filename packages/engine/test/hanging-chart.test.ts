import { kstInstant } from '@digger/core'
import { shardOf } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { givenUp } from '@digger/prices/testing'
import { SETTINGS } from '@digger/storage/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CODE, EngineFixture } from './engine-fixture.ts'

let database: TestDatabase
beforeAll(async () => void (database = await testDatabase()))
afterAll(() => database[Symbol.asyncDispose]())

/** An account whose limits of the day wait for a chart that never comes. */
async function waiting() {
  const fixture = await EngineFixture.open(database, 'krx')
  fixture.clock.advance(kstInstant('20260105', '100000') - fixture.clock.now())
  const broker = fixture.prepare()
  const onWire: Promise<unknown>[] = []
  Object.assign(broker.rest, {
    inBackground: ({ signal }: { signal: AbortSignal }) => ({
      dayCandles: () => {
        const chart = givenUp(signal)
        onWire.push(chart.catch(() => undefined))
        return chart
      },
    }),
    // As the real client: what is on the wire comes back first.
    close: () => Promise.all(onWire),
  })
  const { engine, userId } = fixture
  await fixture.unlock()
  const listing = { issue: { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false }, name: '삼성전자' } as const
  await engine.ask(userId, { kind: 'updateStock', code: CODE, version: null, settings: SETTINGS, listing })
  await vi.waitFor(() => {
    engine.activity.tick()
    expect(onWire).toHaveLength(1)
  })
  return { fixture, onWire }
}

test('an orderly end of the process waits for no chart that hangs', async () => {
  const { fixture, onWire } = await waiting()
  await fixture.engine.stop()
  expect(onWire).toHaveLength(1)
})

test('nor does an account that goes to another process', async () => {
  const { fixture, onWire } = await waiting()
  const { engine, userId } = fixture
  await engine.letGo([shardOf(userId)])
  expect([engine.has(userId), onWire.length]).toEqual([false, 1])
  await fixture.close()
})
