import { describe, expect, test } from 'vitest'
import { believe, compare } from '../src/compare.ts'
import { GRACES, type Disagreement } from '../src/disagreement.ts'
import { JournalAccount, type StopTime } from '../src/journal-account.ts'
import type { JournalFact } from '../src/journal-facts.ts'
import type { ListedOrder } from '../src/order-list.ts'

const DAY = '20261123'
/** Ten o'clock in Korea. */
const T = Date.parse('2026-11-23T10:00:00+09:00')
const CODE = '005930'

const intended = (id: number, at = T, more: object = {}): JournalFact => ({
  kind: 'orderIntended',
  at,
  order: { id, code: CODE, side: 'buy', type: 'limit', count: 10, price: 70_000, day: DAY, ...more },
})
const accepted = (orderId: number, odno: string, at = T): JournalFact => ({ kind: 'orderAccepted', at, orderId, odno })
const filled = (orderId: number, count: number): JournalFact => ({ kind: 'orderFilled', at: T, orderId, count })
const blocked = (isBlocked = true, at = T): JournalFact => ({
  kind: 'stockBlocked',
  at,
  code: CODE,
  blocked: isBlocked ? { code: 'mismatch' } : null,
})
const userStopped = (stop: 'active' | 'reduce' | 'halt', at: number): JournalFact => ({ kind: 'userStopped', at, stop })
const stockStopped = (stop: 'active' | 'reduce' | 'halt', at: number, code = CODE): JournalFact => ({
  kind: 'stockStopped',
  at,
  code,
  stop,
})
const row = (odno: string, more: Partial<ListedOrder> = {}): ListedOrder => ({
  odno,
  code: CODE,
  side: 'buy',
  count: 10,
  price: 70_000,
  filled: 0,
  at: T,
  ...more,
})

function account(facts: readonly JournalFact[]): JournalAccount {
  const made = new JournalAccount()
  made.take({ kind: 'stockAdded', at: T - 3_600_000, code: CODE })
  for (const fact of facts) made.take(fact)
  return made
}

interface Case {
  readonly facts?: readonly JournalFact[]
  /** What came between the question for the list and its reading. */
  readonly meanwhile?: readonly JournalFact[]
  readonly rows?: readonly ListedOrder[]
  readonly at?: number
  readonly serverStops?: readonly StopTime[]
}

const kindsOf = ({ facts = [], meanwhile = [], rows = [], at = T + 600_000, serverStops = [] }: Case): string[] => {
  const look = { list: { orders: rows, odd: [], at }, before: account(facts), after: account([...facts, ...meanwhile]) }
  return compare({ ...look, serverStops }, DAY, GRACES).map(({ kind }) => kind)
}

const ONE = [intended(1), accepted(1, '0000000011')]
const unpriced = (type: string): JournalFact => intended(1, T, { type, price: 0 })
const MARKET = [unpriced('market'), accepted(1, '0000000011')]
const [S, M] = [1_000, 60_000]

describe('list and journal', () => {
  test.each<[string, Case, string[]]>([
    ['agree on nothing', {}, []],
    ['agree on an order', { facts: ONE, rows: [row('11')] }, []],
    ['agree on a part fill', { facts: [...ONE, filled(1, 4)], rows: [row('11', { filled: 4 })] }, []],
    ['an order whose reply is under way', { facts: [intended(1)], rows: [row('11')] }, ['unsettled']],
    ['a market order listed without a price', { facts: MARKET, rows: [row('11', { price: 0 })] }, []],
    ['a market order listed at what it got', { facts: MARKET, rows: [row('11', { price: 70_300 })] }, []],
    ['a market order of another count', { facts: MARKET, rows: [row('11', { price: 0, count: 9 })] }, ['other']],
    ['a best order whose reply is under way', { facts: [unpriced('best')], rows: [row('11')] }, ['unsettled']],
    ['a limit order listed at another price', { facts: ONE, rows: [row('11', { price: 70_300 })] }, ['other']],
    ['an order that came between list and journal', { meanwhile: ONE, rows: [] }, []],
    ['an order accepted just now', { facts: ONE, at: T + 59 * S }, []],
    ['an order accepted a minute ago and not listed', { facts: ONE, at: T + M }, ['unlisted']],
    ['an order of yesterday', { facts: [intended(1, T, { day: '20261120' }), accepted(1, '11')] }, []],
    ['a foreign order at rest', { rows: [row('11')] }, ['foreign']],
    ['a foreign fill', { rows: [row('11', { filled: 1 })] }, ['stranger']],
    [
      'a foreign fill beside an unlike order',
      { facts: ONE, rows: [row('11'), row('12', { filled: 1, count: 9 })] },
      ['stranger'],
    ],
    [
      'foreign fills that cancel out',
      { rows: [row('11', { filled: 3 }), row('12', { side: 'sell', filled: 3 })] },
      ['foreign', 'foreign'],
    ],
    ['a foreign fill the server noticed', { facts: [blocked()], rows: [row('11', { filled: 1 })] }, []],
    [
      'one it noticed, and a person let go since',
      { facts: [blocked(), blocked(false)], rows: [row('11', { filled: 1 })] },
      [],
    ],
    [
      'one in a stock blocked before and still',
      { facts: [blocked(true, T - M)], rows: [row('11', { filled: 1 })] },
      [],
    ],
    [
      'one in a stock that was let go before',
      { facts: [blocked(true, T - M), blocked(false, T - S)], rows: [row('11', { filled: 1 })] },
      ['stranger'],
    ],
    ['a fill in a stock that is not in the book', { rows: [row('11', { code: '000660', filled: 1 })] }, []],
    ['a fill from before the stock was in the book', { rows: [row('11', { filled: 1, at: T - 2 * 3_600_000 })] }, []],
    ['one order listed twice', { facts: ONE, rows: [row('11'), row('12', { at: T + S })] }, ['double']],
    [
      'one order listed twice before its number came',
      { facts: [intended(1)], rows: [row('11'), row('12')] },
      ['double', 'double'],
    ],
    [
      'one listed twice, an equal one refused long before',
      { facts: [intended(9, T - 10 * M), ...ONE], rows: [row('11'), row('12')] },
      ['double'],
    ],
    [
      'two alike that were meant',
      { facts: [...ONE, intended(2), accepted(2, '12')], rows: [row('11'), row('12')] },
      [],
    ],
    [
      'the second of two alike under way',
      { facts: [...ONE, intended(2)], rows: [row('11'), row('12')] },
      ['unsettled'],
    ],
    [
      'one alike an hour later',
      { facts: ONE, rows: [row('11'), row('12', { at: T + 60 * M, filled: 1 })] },
      ['stranger'],
    ],
    ['a double in a stock that is blocked', { facts: [...ONE, blocked()], rows: [row('11'), row('12')] }, ['double']],
    ['a number of another order', { facts: ONE, rows: [row('11', { count: 9 })] }, ['other']],
    ['a number written down twice', { facts: [...ONE, intended(2), accepted(2, '11')], rows: [row('11')] }, ['twice']],
    ['a fill not booked', { facts: ONE, rows: [row('11', { filled: 1 })] }, ['unbooked']],
    ['more booked than filled', { facts: [...ONE, filled(1, 5)], rows: [row('11', { filled: 4 })] }, ['overbooked']],
    [
      'booked between list and journal',
      { facts: ONE, meanwhile: [filled(1, 5)], rows: [row('11', { filled: 4 })] },
      [],
    ],
  ])('%s', (_name, one, kinds) => expect(kindsOf(one)).toEqual(kinds))
})

describe('an order after a stop', () => {
  const late = row('11', { at: T + M })
  const own = [intended(1), accepted(1, '11')]
  test.each<[string, Case, string[]]>([
    ['of the account', { facts: [...own, userStopped('halt', T)], rows: [late] }, ['stopped']],
    ['of the stock', { facts: [...own, stockStopped('halt', T)], rows: [late] }, ['stopped']],
    ['of another stock', { facts: [...own, stockStopped('halt', T, '000660')], rows: [late] }, []],
    [
      'of the server',
      { facts: own, rows: [late], serverStops: [{ code: null, stop: 'halt', from: T, to: T + 5 * M }] },
      ['stopped'],
    ],
    ['that was on the way', { facts: [...own, userStopped('halt', T)], rows: [row('11', { at: T + 15 * S })] }, []],
    [
      'that was let go',
      { facts: [...own, userStopped('halt', T), userStopped('active', T + 30 * S)], rows: [late] },
      [],
    ],
    [
      'let go just then',
      { facts: [...own, userStopped('halt', T), userStopped('active', T + M + S)], rows: [late] },
      [],
    ],
    [
      'let go later',
      { facts: [...own, userStopped('halt', T), userStopped('active', T + 2 * M)], rows: [late] },
      ['stopped'],
    ],
    ['of buying', { facts: [...own, userStopped('reduce', T)], rows: [late] }, ['stopped']],
    ['by a limit', { facts: [...own, { kind: 'limitReached', at: T }], rows: [late] }, ['stopped']],
    [
      'by a limit, of a sale',
      {
        facts: [intended(1, T, { side: 'sell' }), accepted(1, '11'), { kind: 'limitReached', at: T }],
        rows: [row('11', { side: 'sell', at: T + M })],
      },
      [],
    ],
    ['of buying, by somebody else', { facts: [userStopped('reduce', T)], rows: [late] }, ['foreign']],
    ['by somebody else', { facts: [userStopped('halt', T)], rows: [late] }, ['foreign', 'stopped']],
  ])('%s', (_name, one, kinds) => expect(kindsOf(one)).toEqual(kinds))
})

const of = (kind: Disagreement['kind'], key: string = kind): Disagreement => ({ kind, key, text: '' })
const looks = (steps: readonly [at: number, found: readonly Disagreement[], serverRuns?: boolean][]): string[] => {
  let standing: ReadonlyMap<string, number> = new Map()
  return steps.map(([now, found, serverRuns = true]) => {
    const answer = believe(found, standing, { now, graces: GRACES, serverRuns })
    ;({ standing } = answer)
    return answer.believed.map(({ key }) => key).join()
  })
}

describe('what is believed', () => {
  test('a double order at the first look, all else at the second at the earliest', () => {
    const found = [of('double'), of('overbooked'), of('stopped')]
    expect(
      looks([
        [0, found],
        [30 * S, found],
      ]),
    ).toEqual(['double', 'double,overbooked,stopped'])
    expect(
      looks([
        [0, found.slice(1)],
        [30 * S, []],
        [60 * S, found.slice(1)],
      ]),
    ).toEqual(['', '', ''])
  })

  test.each([
    ['stranger', 60 * S],
    ['unsettled', 180 * S],
    ['unbooked', 90 * S],
  ] as const)('%s after its grace', (kind, ms) => {
    const found = [of(kind)]
    expect(
      looks([
        [0, found],
        [ms - 1, found],
        [ms, found],
      ]),
    ).toEqual(['', '', kind])
  })

  test('a fill that waits behind others that are booked is another one each time', () => {
    expect(
      looks([
        [0, [of('unbooked', 'a')]],
        [90 * S, [of('unbooked', 'b')]],
        [180 * S, [of('unbooked', 'c')]],
      ]),
    ).toEqual(['', '', ''])
  })

  test('while no server runs nothing is asked of it, and its time begins anew', () => {
    const found = [of('unbooked'), of('overbooked')]
    expect(
      looks([
        [0, found],
        [95 * S, found, false],
        [96 * S, found],
        [190 * S, found],
      ]),
    ).toEqual(['', 'overbooked', 'overbooked', 'unbooked,overbooked'])
  })
})
