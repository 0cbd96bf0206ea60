import { expect, test } from 'vitest'
import { NobodyThereError, NoAnswerError } from './bus/bus.ts'
import { LocalBus, LocalWire } from './bus/local-bus.ts'
import { ObservedBus } from './bus/observed-bus.ts'
import { ClusterProbe } from './cluster-probe.ts'
import { ClusterCounters, Durations } from './counters.ts'

test('of a hundred durations the middle one and the slowest but one in a hundred', () => {
  const durations = new Durations()
  expect(durations.quantile(0.5)).toBe(0)
  for (let ms = 100; ms > 0; ms -= 1) durations.add(ms)
  expect([durations.quantile(0.5), durations.quantile(0.99)]).toEqual([51, 100])
  // Only the last thousand count.
  for (let times = 0; times < 1_000; times += 1) durations.add(7)
  expect([durations.quantile(0), durations.quantile(0.99)]).toEqual([7, 7])
})

test('requests are counted by how they ended, and lines that were cut', async () => {
  const wire = new LocalWire()
  const counters = new ClusterCounters()
  const line = new LocalBus(wire)
  const bus = new ObservedBus(line, counters)
  bus.answer('call.a', async (data) => data)
  await bus.request('call.a', Buffer.from('x'), 1_000)
  await expect(bus.request('call.b', Buffer.from('x'), 1_000)).rejects.toThrow(NobodyThereError)
  wire.loses = (subject) => subject === 'call.a'
  await expect(bus.request('call.a', Buffer.from('x'), 20)).rejects.toThrow(NoAnswerError)
  line.comesBack()
  expect(counters.requests).toMatchObject({ done: 1, nobody: 1, timeouts: 1 })
  expect([counters.live.gaps, counters.requests.durations.quantile(1) > 0]).toEqual([1, true])
})

test('without the bus a gateway is in trouble, and a worker is not', () => {
  const wire = new LocalWire()
  const bus = new LocalBus(wire)
  const watch = { workers: [], unowned: { shards: 0, ms: 0 } }
  const [worker, gateway] = (['worker', 'gateway'] as const).map(
    (role) => new ClusterProbe({ role, watch, bus, counters: new ClusterCounters() }),
  )
  expect([worker?.troubles, gateway?.troubles]).toEqual([[], []])
  wire.isCut = true
  expect([worker?.troubles, gateway?.troubles]).toEqual([[], [expect.objectContaining({ code: 'cluster' })]])
})

test.each([
  [15_000, 0],
  [15_001, 1],
])('shards without an owner for %i ms are %i trouble', (ms, troubles) => {
  const watch = { workers: [], unowned: { shards: 3, ms } }
  const bus = { connected: true }
  const probe = new ClusterProbe({ role: 'worker', watch, bus, counters: new ClusterCounters() })
  expect(probe.troubles).toHaveLength(troubles)
  expect(probe.status().shards).toEqual({ owned: 0, unowned: 3, unownedMs: ms })
})
