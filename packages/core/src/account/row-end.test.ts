import { describe, expect, test } from 'vitest'
import { CODE, Desk, DAY, ISSUE } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import type { Venue } from '../krx/types.ts'
import { endOfRow } from './row-end.ts'
import type { Execution, Order } from './types.ts'

type Shown = Partial<Execution>
/** The answers of the broker's list for an order of ten that is over without a fill. */
const REJECTED: Shown = { rejectedCount: 10, remainingCount: 0 }
const CANCELLED: Shown = { remainingCount: 0, cancelled: true }
/** Seen two seconds after a cancel on a real account: nothing remains, and nothing says why. */
const NOTHING: Shown = { remainingCount: 0 }
const REMAINING: Shown = { remainingCount: 10 }

interface Case {
  readonly venue?: Venue
  readonly session?: Order['session']
  readonly made?: number
  /** KST time of the reading, of the order's day or of the next. */
  readonly read: number
  readonly nextDay?: boolean
  readonly cancelAsked?: boolean
  readonly hasCancelRow?: boolean
  readonly refusedByNotice?: boolean
  readonly nothingLeftAt?: number
  readonly shown: Shown
}

function end({ venue = 'KRX', session = 'regular', made = 100_000, read, shown, ...more }: Case) {
  const desk = new Desk({ autoBuy: false }).hold([1, 10, 70_000]).timer().accept(1)
  desk.env = 'real'
  const createdAt = kstInstant(DAY, made)
  const order: Order = { ...desk.order(1), venue, session, createdAt, cancelAsked: more.cancelAsked ?? false }
  const readAt = kstInstant(more.nextDay ? '20261117' : DAY, read)
  const found = endOfRow(order, desk.row(1, shown), {
    askedAt: readAt,
    readAt,
    hasCancelRow: more.hasCancelRow ?? false,
    view: {
      refusedByNotice: new Set(more.refusedByNotice ? [order.odno ?? ''] : []),
      nothingLeft: new Map(more.nothingLeftAt === undefined ? [] : [[1, kstInstant(DAY, more.nothingLeftAt)]]),
    },
    timetable: desk.ctx.timetable,
  })
  return found === null ? 'live' : `${found.end}${found.byOther ? ' elsewhere' : ''}`
}

const CASES: readonly (readonly [name: string, of: Case, expected: string])[] = [
  ['turned down by the exchange within seconds', { read: 100_020, shown: REJECTED }, 'rejected'],
  ['a minute later no longer', { read: 100_100, shown: REJECTED }, 'cancelled elsewhere'],
  ['unless a notice said so', { read: 110_000, refusedByNotice: true, shown: REJECTED }, 'rejected'],
  ['KRX order in the list after the close', { read: 153_000, shown: REJECTED }, 'expired'],
  ['the same five seconds before, where clocks may differ', { read: 152_955, shown: REJECTED }, 'expired'],
  ['the same six seconds before', { read: 152_954, shown: REJECTED }, 'cancelled elsewhere'],
  ['SOR: it may have gone to KRX', { venue: 'SOR', read: 153_100, shown: REJECTED }, 'expired'],
  ['NXT trades until eight', { venue: 'NXT', made: 160_000, read: 190_000, shown: REJECTED }, 'cancelled elsewhere'],
  [
    'NXT’s pre-market is over at 08:50',
    { venue: 'NXT', session: 'pre', made: 80_500, read: 85_100, shown: REJECTED },
    'expired',
  ],
  ['also what was made in the morning', { venue: 'NXT', read: 190_000, shown: REJECTED }, 'cancelled elsewhere'],
  ['and is over then', { venue: 'NXT', made: 160_000, read: 200_000, shown: REJECTED }, 'expired'],
  [
    'the KRX after-market, too',
    { session: 'after', made: 160_000, read: 195_954, shown: CANCELLED },
    'cancelled elsewhere',
  ],
  [
    'SOR made after the close of KRX, turned down',
    { venue: 'SOR', made: 153_100, read: 153_110, shown: REJECTED },
    'rejected',
  ],
  ['read the next morning', { read: 80_000, nextDay: true, shown: REJECTED }, 'expired'],
  ['expired, shown as cancelled', { read: 160_000, shown: CANCELLED }, 'expired'],
  ['expired, shown with nothing', { read: 160_000, shown: NOTHING }, 'expired'],
  ['expired, shown with its remainder: the timetable ends it', { read: 160_000, shown: REMAINING }, 'live'],
  ['resting', { read: 110_000, shown: REMAINING }, 'live'],
  ['we cancelled', { read: 110_000, cancelAsked: true, shown: NOTHING }, 'cancelled'],
  ['we cancelled, and the list calls it a reject', { read: 110_000, cancelAsked: true, shown: REJECTED }, 'cancelled'],
  ['cancelled in the broker’s app', { read: 110_000, shown: CANCELLED }, 'cancelled elsewhere'],
  ['cancelled there without a word', { read: 110_000, shown: NOTHING }, 'cancelled elsewhere'],
  [
    'a cancellation row tells even after the close',
    { read: 160_000, hasCancelRow: true, shown: NOTHING },
    'cancelled elsewhere',
  ],
  ['a cancellation on its way, the order still there', { read: 110_000, hasCancelRow: true, shown: REMAINING }, 'live'],
  [
    'part filled, then expired',
    { read: 160_000, shown: { filledCount: 4, rejectedCount: 6, remainingCount: 0 } },
    'expired',
  ],
  [
    'part filled, rest cancelled elsewhere',
    { read: 110_000, shown: { filledCount: 4, remainingCount: 0 } },
    'cancelled elsewhere',
  ],
  ['filled', { read: 160_000, shown: { filledCount: 10, remainingCount: 0 } }, 'filled'],
  [
    'filled while our cancel was out',
    { read: 110_000, cancelAsked: true, shown: { filledCount: 10, remainingCount: 0 } },
    'filled',
  ],
  [
    'SOR over on KRX, nothing left to cancel',
    { venue: 'SOR', read: 160_100, nothingLeftAt: 160_000, shown: REMAINING },
    'expired',
  ],
  [
    'not before the list had time for a fill',
    { venue: 'SOR', read: 160_019, nothingLeftAt: 160_000, shown: REMAINING },
    'live',
  ],
]

describe('how an order ended', () => {
  test.each(CASES)('%s', (_name, of, expected) => expect(end(of)).toBe(expected))
})

/** Three lots resting on the real host, accepted. */
function resting(): Desk {
  const desk = new Desk({ autoBuy: false })
  desk.env = 'real'
  desk.hold([1, 10, 70_000], [2, 10, 69_300], [3, 10, 68_600]).quote(69_000).timer()
  return desk.accept(...desk.sent).wait(2_000)
}

const rows = (desk: Desk, shown: Shown): Execution[] =>
  [...desk.account.book.orders.values()].filter(({ odno }) => odno !== null).map(({ id }) => desk.row(id, shown))

describe.each([
  ['rejected', REJECTED],
  ['cancelled', CANCELLED],
  ['nothing', NOTHING],
] as const)('expiry shown as %s', (_name, shown) => {
  test.each([
    ['every evening', 153_500],
    ['in the morning only', null],
  ] as const)('over three nights, read %s: every lot rests again the next day', (_when, evening) => {
    const desk = resting()
    for (const [today, next] of [
      ['20261116', '20261117'],
      ['20261117', '20261118'],
      ['20261118', '20261119'],
    ] as const) {
      if (evening !== null) {
        desk.now = kstInstant(today, evening)
        desk.read(rows(desk, shown))
      }
      desk.now = kstInstant(next, 83_100)
      desk.read(rows(desk, shown)).timer()
      // A quote of the new day.
      desk.quote(69_000).wait(1_000).timer()
      expect([desk.stock.blocked, desk.stock.rejects]).toEqual([null, 0])
      const fresh = [...desk.account.book.orders.values()].filter(({ status }) => status === 'intended')
      expect(fresh.map(({ day }) => day)).toEqual([next, next, next])
      desk.accept(...fresh.map(({ id }) => id)).wait(2_000)
    }
  })
})

describe('a cancel that nobody here asked for', () => {
  test('holds the lot back for the day', () => {
    const desk = resting()
    desk.read([desk.row(1, CANCELLED), desk.row(2), desk.row(3)])
    expect([desk.order(1).status, desk.sent]).toEqual(['cancelled', []])
    expect(desk.stock.lots.map(({ heldBack }) => heldBack)).toEqual([false, false, true])
    for (let minutes = 0; minutes < 300; minutes += 30) expect(desk.wait(30 * 60_000).timer().sent).toEqual([])
    desk.now = kstInstant('20261117', 90_100)
    desk.read(rows(desk, NOTHING)).quote(69_000).timer()
    expect([...desk.account.book.orders.values()].filter(({ status }) => status === 'intended')).toHaveLength(3)
  })

  test('holds a buy back, also after a restart', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(2_000)
    desk.read([desk.row(1, CANCELLED)])
    expect(desk.wait(6_000).buyAt(70_000).sent).toEqual([])
    desk.account = { ...desk.account, view: new Desk().account.view }
    desk.do({ kind: 'restarted', lateMs: 0 }).do({ kind: 'authorised', authorised: true })
    desk.read([desk.row(1, CANCELLED)], []).wait(12_000)
    expect(desk.buyAt(70_000).sent).toEqual([])
    desk.now = kstInstant('20261117', 90_100)
    expect(desk.buyAt(70_000).sent).toHaveLength(1)
  })

  test('holds no buy back after a restart that its person has let go, and that was made again', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(2_000)
    desk.read([desk.row(1, CANCELLED)])
    desk.settings({ buyPercent: -2 })
    desk.wait(6_000).buyAt(70_000).accept(2).wait(2_000)
    desk.read([desk.row(1, CANCELLED), desk.row(2, { filledCount: 2, remainingCount: 0 })])
    desk.do({ kind: 'restarted', lateMs: 0 })
    expect(desk.account.view.stocks.heldBuys.size).toBe(0)
    // The last word of the day counts.
    desk.account = { ...desk.account, view: new Desk().account.view }
    desk.putFacts({ kind: 'orderEnded', orderId: 2, end: 'cancelled', note: null, at: desk.now })
    expect(desk.do({ kind: 'restarted', lateMs: 0 }).account.view.stocks.heldBuys.size).toBe(1)
  })

  test('is not one of ours, whatever became of our own', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(30_000)
    expect(desk.timer().cancels).toEqual([1])
    desk.do({ kind: 'cancelFailed', orderId: 1, text: '응답 없음' }).wait(2_000)
    desk.read([desk.row(1, CANCELLED)])
    expect(desk.wait(6_000).buyAt(70_000).sent).toHaveLength(1)
  })

  test('and holds nothing back after a restart either', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(30_000).timer()
    desk.wait(2_000).read([desk.row(1, CANCELLED)])
    desk.do({ kind: 'restarted', lateMs: 0 })
    expect(desk.account.view.stocks.heldBuys.size).toBe(0)
  })

  test('leaves a person’s own order alone', () => {
    const desk = resting()
    desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 3, how: 'current' })
    desk.do({ kind: 'cancelDone', orderId: 1 }).wait(2_000)
    desk.read([desk.row(1, CANCELLED), desk.row(2), desk.row(3)])
    const [sale] = desk.sent
    desk.accept(sale ?? 0).wait(2_000)
    desk.read([desk.row(sale ?? 0, CANCELLED), desk.row(2), desk.row(3)])
    expect(desk.stock.lots.map(({ heldBack }) => heldBack)).toEqual([false, false, false])
  })
})

test.each([
  ['KRX', 'Digger 밖에서 취소된 주문입니다. 오늘은 다시 내지 않습니다.'],
  ['SOR', 'Digger 밖에서 취소되었거나 넥스트레이드가 거둔 주문입니다. 오늘은 다시 내지 않습니다.'],
] as const)('who may have ended an order on %s is said with it', (venue, note) => {
  const desk = resting()
  const evidence = {
    askedAt: desk.now,
    readAt: desk.now,
    hasCancelRow: false,
    view: desk.account.view.orders,
    timetable: desk.ctx.timetable,
  }
  expect(endOfRow({ ...desk.order(1), venue }, desk.row(1, CANCELLED), evidence)?.note).toBe(note)
})

test('a SOR order that went to KRX gives way to a person’s evening sale', () => {
  const desk = resting().choose({ sor: true, afterMarket: true })
  desk.putFacts({ kind: 'issueChanged', code: CODE, name: '삼성전자', issue: { ...ISSUE, nxt: true }, at: desk.now })
  const order = desk.order(1)
  desk.putFacts({ kind: 'orderIntended', order: { ...order, venue: 'SOR' }, at: desk.now })
  desk.now = kstInstant(DAY, 160_500)
  desk.quote(69_000).read([desk.row(1), desk.row(2, NOTHING), desk.row(3, NOTHING)])
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 3, how: 'current' })
  expect(desk.cancels).toEqual([1])
  desk.do({ kind: 'cancelFailed', orderId: 1, text: '정정/취소할 수량이 없습니다.', nothingLeft: true })
  desk.wait(21_000).read([desk.row(1)])
  expect(desk.order(1).status).toBe('cancelled')
  expect(desk.sent).toHaveLength(1)
})

test('while KRX is open “nothing left” may be a fill that is not listed yet: the order stays, and its fill is booked', () => {
  const desk = resting()
  desk.ask({ kind: 'cancelOrder', id: 1 })
  expect(desk.cancels).toEqual([1])
  desk.do({ kind: 'cancelFailed', orderId: 1, text: '정정/취소할 수량이 없습니다.', nothingLeft: true })
  desk.wait(21_000).read([desk.row(1), desk.row(2), desk.row(3)])
  expect(desk.live.some((text) => text.startsWith('1 '))).toBe(true)
  desk.wait(3_000).fill(1)
  expect(desk.order(1).status).toBe('filled')
})

test.each([
  [true, 'rejected'],
  [false, 'cancelled'],
])('an order that the exchange turned down, found after a minute: a notice of it is %s', (refused, status) => {
  const desk = resting()
  if (refused) desk.do({ kind: 'notice', odno: desk.order(1).odno ?? '', filledCount: 0, refused })
  desk
    .wait(70_000)
    .read([desk.row(1, { rejectedCount: desk.order(1).count, remainingCount: 0 }), desk.row(2), desk.row(3)])
  expect(desk.order(1).status).toBe(status)
})
