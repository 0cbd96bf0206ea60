import { emptyBook, evolve, knownTimetable, kstInstant, kstIso, type Book } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import type { KisStockInfo } from '@digger/kis'
import { expect, test } from 'vitest'
import { SETTINGS } from '../test/settings.ts'
import { IssueFeed, type KnownIssues } from './issue-feed.ts'

const FRIDAY = '20261120'
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const infoOf = (code: string, nxt = true): KisStockInfo => ({
  code,
  name: code,
  kind: 'stock',
  market: 'KOSPI',
  nxt,
  halted: false,
})

function bookOf(...codes: string[]): Book {
  return codes.reduce((book, code) => {
    const issue = { code, kind: 'stock', market: 'KOSPI', nxt: false } as const
    return evolve(book, { kind: 'stockAdded', code, name: code, issue, settings: SETTINGS, at: 0 })
  }, emptyBook(FRIDAY))
}

class Fixture {
  readonly clock = new TestClock()
  readonly found: string[] = []
  readonly asked: string[] = []
  readonly problems: unknown[] = []
  readonly answers = new Map<string, KisStockInfo | Error | null>()
  readonly feed: IssueFeed
  readonly book: Book

  constructor(codes: string[], known: KnownIssues = new Map(), time = 60_000) {
    this.book = bookOf(...codes)
    this.clock.advance(kstInstant(FRIDAY, time) - this.clock.now())
    this.feed = new IssueFeed({
      rest: { stockInfo: (code) => this.#answer(code) },
      clock: this.clock,
      known,
      timetable: () => knownTimetable('krx'),
      found: ({ code, nxt }) => void this.found.push(`${code} ${nxt}`),
      problem: (error) => void this.problems.push(error),
    })
  }

  async #answer(code: string): Promise<KisStockInfo | null> {
    this.asked.push(`${kstIso(this.clock.now()).slice(11, 16)} ${code}`)
    const answer = this.answers.get(code)
    if (answer instanceof Error) throw answer
    return answer === undefined ? infoOf(code) : answer
  }

  async until(day: string, time: number): Promise<void> {
    while (this.clock.now() < kstInstant(day, time)) {
      this.feed.tick(this.book)
      await turn()
      this.clock.advance(60_000)
    }
  }
}

test('each stock is asked for once a trading day, half an hour before the first session, one after the other', async () => {
  const one = new Fixture(['000660', '005930'])
  await one.until(FRIDAY, 235_900)
  expect(one.asked).toEqual(['07:30 000660', '07:31 005930'])
  await one.until('20261122', 235_900)
  expect(one.asked).toHaveLength(2)
  one.answers.set('005930', infoOf('005930', false))
  await one.until('20261123', 90_000)
  expect(one.found.slice(2)).toEqual(['000660 true', '005930 false'])
})

test('what one account has learned another does not ask', async () => {
  const known: KnownIssues = new Map()
  await new Fixture(['005930'], known).until(FRIDAY, 80_000)
  const other = new Fixture(['005930', '000660'], known)
  await other.until(FRIDAY, 80_000)
  expect([other.asked.map((text) => text.slice(6)), other.found]).toEqual([['000660'], ['005930 true', '000660 true']])
})

test('a stock that fails, or that the broker does not know, keeps no other waiting and is asked again', async () => {
  const one = new Fixture(['000001', '000002', '005930'])
  one.answers.set('000001', new Error('no answer')).set('000002', null)
  await one.until(FRIDAY, 80_000)
  expect(one.found).toEqual(['005930 true'])
  one.answers.clear()
  await one.until(FRIDAY, 90_000)
  expect(one.found.toSorted()).toEqual(['000001 true', '000002 true', '005930 true'])
  expect(one.problems.length).toBeGreaterThan(0)
})

test('a server that starts later in the day asks then', async () => {
  const one = new Fixture(['005930'], new Map(), 140_000)
  await one.until(FRIDAY, 140_500)
  expect(one.asked).toEqual(['14:00 005930'])
})
