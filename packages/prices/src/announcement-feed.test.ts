import { emptyBook, evolve, knownTimetable, kstInstant, kstIso, type Book } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import type { KisActionKind, KisAnnouncement, KisAnnouncements } from '@digger/kis'
import { expect, test } from 'vitest'
import { SETTINGS } from '../test/settings.ts'
import { AnnouncementFeed } from './announcement-feed.ts'
import { Announcements } from './announcements.ts'

const FRIDAY = '20261120'
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const BONUS: KisAnnouncement = {
  kind: 'bonusIssue',
  code: '005930',
  recordDay: '20261125',
  exDay: '20261124',
  ratio: 2,
  paid: 0,
  creditDay: '20261214',
}
const NOTHING: KisAnnouncements = { rows: [], isCut: false, unreadable: [] }

function bookOf(...codes: string[]): Book {
  return codes.reduce((book, code) => {
    const issue = { code, kind: 'stock', market: 'KOSPI', nxt: false } as const
    return evolve(book, { kind: 'stockAdded', code, name: code, issue, settings: SETTINGS, at: 0 })
  }, emptyBook(FRIDAY))
}

class Fixture {
  readonly clock = new TestClock()
  readonly known: Announcements
  readonly asked: string[] = []
  readonly problems: unknown[] = []
  readonly answers = new Map<KisActionKind, KisAnnouncements | Error>()
  readonly feed: AnnouncementFeed
  readonly #book: Book

  constructor(codes: string[], known = new Announcements(), env: 'real' | 'paper' = 'real') {
    this.#book = bookOf(...codes)
    this.known = known
    this.clock.advance(kstInstant(FRIDAY, 60_000) - this.clock.now())
    this.feed = new AnnouncementFeed({
      rest: { env, announcements: (...asked) => this.#answer(...asked) },
      clock: this.clock,
      known,
      timetable: () => knownTimetable('krx'),
      problem: (error) => void this.problems.push(error),
    })
  }

  async #answer(kind: KisActionKind, from: string, to: string, code = ''): Promise<KisAnnouncements> {
    this.asked.push(`${kstIso(this.clock.now()).slice(11, 16)} ${kind} ${from}–${to} ${code}`.trim())
    const answer = this.answers.get(kind) ?? NOTHING
    if (answer instanceof Error) throw answer
    return answer
  }

  async until(day: string, time: number): Promise<void> {
    while (this.clock.now() < kstInstant(day, time)) {
      this.feed.tick(this.#book)
      await turn()
      this.clock.advance(60_000)
    }
  }
}

test('four lists are asked for once a trading day, half an hour before the first session', async () => {
  const one = new Fixture(['005930'])
  await one.until('20261122', 235_900)
  expect(one.asked).toEqual([
    '07:30 bonusIssue 20261110–20261230',
    '07:31 rightsIssue 20261110–20261230',
    '07:32 stockDividend 20261110–20261230',
    '07:33 faceValue 20261110–20261230',
  ])
  await one.until('20261123', 235_900)
  expect(one.asked).toHaveLength(8)
})

test('one account asks for all', async () => {
  const one = new Fixture(['005930'])
  const other = new Fixture(['000660'], one.known)
  await one.until(FRIDAY, 90_000)
  await other.until(FRIDAY, 90_000)
  expect(other.asked).toEqual([])
})

test('what is known of a stock: the next day of another share, and the day itself', async () => {
  const one = new Fixture(['005930'])
  one.answers.set('bonusIssue', {
    ...NOTHING,
    rows: [BONUS, { ...BONUS, code: '000660' }, { ...BONUS, exDay: '20261130' }],
  })
  await one.until(FRIDAY, 90_000)
  const expected = { kind: 'bonusIssue', day: '20261124', ratio: 2, paid: 0, creditDay: '20261214' }
  expect(one.known.next('005930', FRIDAY)).toEqual(expected)
  expect(one.known.next('005930', '20261125')).toMatchObject({ day: '20261130' })
  expect(one.known.next('005930', '20261201')).toBe(null)
  expect(one.known.on('005930', '20261124')).toEqual(expected)
  expect(one.known.on('005930', '20261123')).toBe(undefined)
})

test('a day that is not settled is left out; of a dividend it is the trading day before the record day', async () => {
  const one = new Fixture(['005930'])
  one.answers.set('faceValue', { ...NOTHING, rows: [{ ...BONUS, kind: 'faceValue', exDay: null }] })
  one.answers.set('stockDividend', {
    ...NOTHING,
    rows: [{ ...BONUS, kind: 'stockDividend', recordDay: '20261130', exDay: null, ratio: 1.05 }],
  })
  await one.until(FRIDAY, 90_000)
  expect(one.known.next('005930', FRIDAY)).toMatchObject({ kind: 'stockDividend', day: '20261127', ratio: 1.05 })
})

test('a list that is cut is asked for stock by stock, from then on', async () => {
  const one = new Fixture(['000660', '005930'])
  one.answers.set('stockDividend', { ...NOTHING, isCut: true })
  await one.until(FRIDAY, 90_000)
  expect(one.asked.filter((text) => text.includes('stockDividend')).map((text) => text.slice(6))).toEqual([
    'stockDividend 20261110–20261230',
    'stockDividend 20261110–20261230 000660',
    'stockDividend 20261110–20261230 005930',
  ])
})

test('a list that fails is asked for again, later each time, and stands before no other; a row in the way is told once', async () => {
  const one = new Fixture(['005930'])
  one.answers.set('bonusIssue', new Error('점검 중'))
  one.answers.set('faceValue', { ...NOTHING, unreadable: ['record_date is blank'] })
  await one.until(FRIDAY, 80_000)
  const times = (kind: string): number => one.asked.filter((text) => text.includes(kind)).length
  expect([times('rightsIssue'), times('stockDividend'), times('faceValue')]).toEqual([1, 1, 1])
  expect(times('bonusIssue')).toBeGreaterThan(2)
  one.answers.set('bonusIssue', { ...NOTHING, rows: [BONUS] })
  await one.until('20261123', 90_000)
  expect(one.known.next('005930', FRIDAY)).not.toBe(null)
  expect(one.problems.map(String).filter((text) => text.includes('cannot be read'))).toHaveLength(1)
})

test('paper has no such lists', async () => {
  const one = new Fixture(['005930'], new Announcements(), 'paper')
  await one.until(FRIDAY, 235_900)
  expect(one.asked).toEqual([])
})
