import { backtestBothWays, barsOf, closingCosts, holdingGain, mapRow, type Settings } from '@digger/core'
import { describe, expect, test } from 'vitest'
import { newStock } from '../draft.ts'
import type { Request, WorkerReply } from './protocol.ts'
import { Rehearsal } from './rehearsal.ts'
import { savedSettings } from './tried.ts'

/** A wave of 400 days, from 9,000 to 11,000 won and back every twenty. */
const LENGTH = 400
const days = Array.from({ length: LENGTH }, (_, at) =>
  new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10).replaceAll('-', ''),
)
const price = (at: number) => 10_000 + Math.round(20 * Math.sin((at * Math.PI) / 10)) * 50
const closes = days.map((_, at) => price(at))
const columns = {
  days,
  open: days.map((_, at) => price(Math.max(at - 1, 0))),
  high: days.map((_, at) => Math.max(price(at), price(Math.max(at - 1, 0))) + 50),
  low: days.map((_, at) => Math.min(price(at), price(Math.max(at - 1, 0))) - 50),
  close: closes,
}
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

function prepared(from = '', places = 90): { rehearsal: Rehearsal; frame: WorkerReply } {
  const rehearsal = new Rehearsal()
  rehearsal.answer({ kind: 'columns', unit: 'day', columns, issue })
  return { rehearsal, frame: rehearsal.answer({ kind: 'frame', id: 7, unit: 'day', from, places }) }
}
const sum = (counts: Uint32Array) => counts.reduce((all, one) => all + one, 0)
const expectRun = (reply: WorkerReply): Extract<WorkerReply, { kind: 'run' }> => {
  if (reply.kind !== 'run') throw new Error(`not a run: ${reply.kind}`)
  return reply
}

describe('the worker', () => {
  test('a run is what core computes, to the won, with each trade in its place', () => {
    const { rehearsal, frame } = prepared()
    expect(frame).toMatchObject({ kind: 'frame', id: 7, frame: { bars: LENGTH, days: LENGTH } })
    const { run, saved, traded, frame: id } = expectRun(rehearsal.answer({ kind: 'run', settings, saved: other }))
    const bars = barsOf(columns, issue)
    const both = backtestBothWays(bars, settings)
    expect(id).toBe(7)
    expect(run.both.unkind).toMatchObject({ ...both.unkind, worstDay: days[both.unkind.worstDay] })
    expect(run.both.kind.holding).toBe(holdingGain(bars, both.kind.mostIn))
    expect(run.both.kind.closing).toBe(closingCosts(bars, both.kind.shares))
    expect([sum(traded.buys), sum(traded.sells)]).toEqual([both.unkind.buys, both.unkind.sells])
    expect(both.unkind.buys).toBeGreaterThan(20)
    const totals = [both.kind.total, both.unkind.total].toSorted((a, b) => a - b)
    expect([traded.worse.at(-1), traded.better.at(-1)]).toEqual(totals)
    expect(saved?.both.kind.total).toBe(backtestBothWays(bars, other).kind.total)
  })
  test('a range begins with its first day, and only its bars count', () => {
    const { rehearsal, frame } = prepared('20251101')
    const left = days.filter((day) => day >= '20251101').length
    expect(frame).toMatchObject({ kind: 'frame', frame: { bars: left } })
    const { run } = expectRun(rehearsal.answer({ kind: 'run', settings, saved: null }))
    const at = days.length - left
    const cut = {
      days: days.slice(at),
      open: columns.open.slice(at),
      high: columns.high.slice(at),
      low: columns.low.slice(at),
      close: closes.slice(at),
    }
    expect(run.both.kind.total).toBe(backtestBothWays(barsOf(cut, issue), settings).kind.total)
  })
  test('how long the price stayed above what the ladder buys at', () => {
    const { rehearsal } = prepared()
    const above = (maxBuyPrice: number | null) =>
      expectRun(rehearsal.answer({ kind: 'run', settings: { ...settings, maxBuyPrice }, saved: null })).run.above
    expect([above(20_000), above(1), above(null)]).toEqual([0, 100, 0])
    expect(above(10_000)).toBe((100 * columns.low.filter((low) => low > 10_000).length) / LENGTH)
  })
  test('a row of the map is the one of core', () => {
    const { rehearsal } = prepared()
    const request = { kind: 'row', map: 3, settings, buyPercent: -1.5, sellPercents: [1, 2, 3] } as const
    expect(rehearsal.answer(request)).toEqual({
      kind: 'row',
      map: 3,
      cells: mapRow(barsOf(columns, issue), settings, -1.5, [1, 2, 3]),
    })
  })
  test('one stock of many needs no frame', () => {
    const reply = new Rehearsal().answer({ kind: 'stock', code: '005930', columns, issue, settings })
    expect(reply).toMatchObject({ kind: 'stock', code: '005930', days: LENGTH })
  })
  test.each<[string, Request, string | null]>([
    ['without bars', { kind: 'run', settings, saved: null }, null],
    ['of a unit that is not there', { kind: 'frame', id: 1, unit: 'minute', from: '', places: 10 }, null],
    [
      'of bars that contradict themselves',
      { kind: 'stock', code: '1', columns: { ...columns, high: columns.low }, issue, settings },
      '1',
    ],
    [
      'of days without a trade',
      { kind: 'stock', code: '2', columns: { ...columns, open: days.map(() => 0) }, issue, settings },
      '2',
    ],
  ])('answers, too, where nothing can be computed: %s', (_what, request, code) => {
    expect(new Rehearsal().answer(request)).toMatchObject({ kind: 'failed', code })
  })
  test('a range after the last day fails, and the next one works', () => {
    const { rehearsal, frame } = prepared('20300101')
    expect(frame).toMatchObject({ kind: 'failed' })
    expect(rehearsal.answer({ kind: 'frame', id: 8, unit: 'day', from: '', places: 9 })).toMatchObject({
      kind: 'frame',
    })
  })
})
