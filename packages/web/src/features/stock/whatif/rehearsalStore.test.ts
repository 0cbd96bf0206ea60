import { backtestBothWays, barsOf, type Settings } from '@digger/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newStock } from '../draft.ts'
import type { Request, Run, WorkerReply } from './protocol.ts'
import { Rehearsal } from './rehearsal.ts'
import { RehearsalQueue, REST_MS } from './rehearsalQueue.ts'
import { RehearsalStore } from './rehearsalStore.ts'
import { savedSettings } from './tried.ts'

/** Up and down by a tenth every ten days. */
const LENGTH = 400
const days = Array.from({ length: LENGTH }, (_, at) =>
  new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10).replaceAll('-', ''),
)
const prices = days.map((_, at) => 9_000 + 100 * Math.abs((at % 20) - 10))
const columns = { days, open: prices, high: prices.map((p) => p + 50), low: prices.map((p) => p - 50), close: prices }
const issue = { kind: 'stock', market: 'KOSPI' } as const
const settings: Settings = {
  ...savedSettings(newStock('u1', '005930')),
  autoBuy: true,
  autoSell: true,
  maxBuyPrice: 10_500,
  maxBuyAmount: 5_000_000,
  buyUnitPrice: 100_000,
  buyPercent: -2,
  sellPercent: 3,
}
const other: Settings = { ...settings, buyPercent: -1 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
/** Nobody moves a slider. */
const rest = () => vi.advanceTimersByTime(REST_MS)

/** A worker that answers when it is let. */
function slowWorker() {
  const rehearsal = new Rehearsal()
  const posted: Request[] = []
  return {
    posted,
    post: (request: Request) => void posted.push(request),
    answerTo: (receive: (reply: WorkerReply) => void) => {
      const request = posted.at(-1)
      if (request !== undefined) receive(rehearsal.answer(request))
    },
  }
}
const run = (buyPercent: number) => ({ kind: 'run', settings: { ...settings, buyPercent }, saved: null }) as const
const row = (buyPercent: number) => ({ kind: 'row', map: 1, settings, buyPercent, sellPercents: [1] }) as const
const steps = (posted: readonly Request[]) =>
  posted.map((request) =>
    request.kind === 'run'
      ? `run ${request.settings.buyPercent}`
      : request.kind === 'row'
        ? `row ${request.buyPercent}`
        : request.kind,
  )

describe('the queue', () => {
  test('one request is on its way; of runs the latest waits; rows give way to runs', () => {
    const worker = slowWorker()
    const replies: WorkerReply[] = []
    const queue = new RehearsalQueue(worker.post, (reply) => replies.push(reply))
    const answer = () => worker.answerTo((reply) => queue.receive(reply))
    queue.send({ kind: 'columns', unit: 'day', columns, issue })
    queue.send({ kind: 'frame', id: 1, unit: 'day', from: '', places: 50 })
    for (let n = 1; n <= 50; n += 1) queue.run(run(-n / 10))
    queue.rows([row(-1), row(-2), row(-3)])
    expect(steps(worker.posted)).toEqual(['columns'])
    answer()
    answer()
    answer()
    expect(steps(worker.posted)).toEqual(['columns', 'frame', 'run -5'])
    rest()
    expect(steps(worker.posted).at(-1)).toBe('row -1')
    queue.run(run(-7))
    queue.run(run(-8))
    answer()
    answer()
    // A slider that stands still for less is still moving.
    vi.advanceTimersByTime(REST_MS - 1)
    expect(steps(worker.posted).at(-1)).toBe('run -8')
    rest()
    answer()
    answer()
    expect(steps(worker.posted).slice(4)).toEqual(['run -8', 'row -2', 'row -3'])
    expect(replies).toHaveLength(7)
  })
  test('a new frame drops what waits for the one before', () => {
    const worker = slowWorker()
    const queue = new RehearsalQueue(worker.post, () => undefined)
    const answer = () => worker.answerTo((reply) => queue.receive(reply))
    queue.send({ kind: 'columns', unit: 'day', columns, issue })
    queue.send({ kind: 'frame', id: 1, unit: 'day', from: '', places: 50 })
    queue.run(run(-1))
    queue.rows([row(-1)])
    queue.send({ kind: 'frame', id: 2, unit: 'day', from: '20250601', places: 50 })
    answer()
    answer()
    answer()
    expect(steps(worker.posted)).toEqual(['columns', 'frame', 'frame'])
  })
})

function connected() {
  const worker = slowWorker()
  const store = new RehearsalStore('day', columns, issue)
  store.connect(worker.post)
  return { worker, store, answer: () => worker.answerTo((reply) => store.receive(reply)) }
}
const total = (of: Run | undefined) => of?.both.unkind.total

describe('the store', () => {
  const axes = { downs: [1, 2], ups: [1, 2, 3] }
  const chart = { from: '', places: 50 }

  test('frame and outcome of a range come together, and the same question is asked once', () => {
    const { worker, store, answer } = connected()
    let drawn = 0
    store.subscribe(() => (drawn += 1))
    for (let n = 0; n < 3; n += 1) {
      store.frame(chart)
      store.run(settings, settings)
      store.map(settings, axes)
    }
    answer()
    answer()
    expect(store.state.frame).toBeNull()
    answer()
    expect(store.state.frame?.bars).toBe(LENGTH)
    // What is saved is the same: nothing to compare with.
    expect(store.state.outcome?.saved).toBeNull()
    expect(store.state.map).toBeNull()
    rest()
    answer()
    answer()
    expect(store.state.isOldMap).toBe(false)
    expect(store.state.map?.cells.map((line) => line.length)).toEqual([3, 3])
    expect(steps(worker.posted)).toEqual(['columns', 'frame', 'run -2', 'row -1', 'row -2'])
    expect(drawn).toBeLessThanOrEqual(4)
  })
  test('a slider leaves the map alone, another setting does not', () => {
    const { store, answer } = connected()
    store.frame(chart)
    store.run(settings, settings)
    store.map(settings, axes)
    for (let n = 0; n < 3; n += 1) answer()
    rest()
    for (let n = 0; n < 2; n += 1) answer()
    const { map } = store.state
    expect(map).not.toBeNull()
    store.run(other, settings)
    store.map(other, axes)
    answer()
    expect([store.state.map, store.state.isOldMap]).toEqual([map, false])
    expect(total(store.state.outcome?.saved ?? undefined)).toBe(
      backtestBothWays(barsOf(columns, issue), settings).unkind.total,
    )
    store.map({ ...other, buyUnitPrice: 1 }, axes)
    expect([store.state.map, store.state.isOldMap]).toEqual([map, true])
  })
  test('a long row comes in parts, and is put together again', () => {
    const { worker, store, answer } = connected()
    const ups = Array.from({ length: 21 }, (_, at) => 1 + at / 10)
    store.frame(chart)
    store.map(settings, { downs: [1, 2], ups })
    answer()
    for (let n = 0; n < 7; n += 1) answer()
    expect(worker.posted.filter(({ kind }) => kind === 'row')).toHaveLength(6)
    expect(store.state.map?.cells.map((line) => line.map(({ sellPercent }) => sellPercent))).toEqual([ups, ups])
  })
  test('of two ranges only the newer one is shown', () => {
    const { store, answer } = connected()
    store.frame(chart)
    store.run(settings, settings)
    answer()
    answer()
    // The run is on its way when another range is chosen.
    store.frame({ from: '20251101', places: 50 })
    store.run(settings, settings)
    answer()
    expect(store.state.outcome).toBeNull()
    answer()
    answer()
    expect(store.state.frame?.bars).toBe(days.filter((day) => day >= '20251101').length)
  })
  test('what cannot be computed is said, and over with the next outcome', () => {
    const { store, answer } = connected()
    store.frame({ from: '20300101', places: 50 })
    answer()
    answer()
    expect(store.state.problem).toContain('다른 기간을 골라 주세요')
    store.frame(chart)
    store.run(settings, settings)
    answer()
    answer()
    expect(store.state).toMatchObject({ problem: null, frame: { bars: LENGTH } })
  })
  test('without a worker nothing is asked, and another worker is asked everything anew', () => {
    const worker = slowWorker()
    const store = new RehearsalStore('day', columns, issue)
    store.frame(chart)
    store.run(settings, settings)
    expect(worker.posted).toEqual([])
    store.connect(worker.post)
    store.frame(chart)
    store.disconnect()
    store.connect(worker.post)
    store.frame(chart)
    expect(steps(worker.posted)).toEqual(['columns', 'columns'])
    worker.answerTo((reply) => store.receive(reply))
    expect(steps(worker.posted).at(-1)).toBe('frame')
  })
})
