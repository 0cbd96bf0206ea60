import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { NORMAL_HOURS, type Timetable } from '../krx/session.ts'
import {
  type Attention,
  ATTENTION_KINDS,
  type AttentionKind,
  attentionOf,
  endOfAttention,
  ALARM_AFTER_MS,
  type Standing,
  tradingHours,
} from './attention.ts'
import type { Blocked } from './types.ts'

const KRX: Timetable = { hours: 'krx', closed: new Set(), special: new Map() }
const SATURDAY = '20261121'

/** All is well: key open, book compared, socket connected. */
const WELL = { opened: true, closedMs: 0, unarmedMs: 0, withoutPricesMs: 0, connected: true }
const standing = (desk: Desk, over: Partial<Standing> = {}): Standing => ({
  now: desk.now,
  timetable: KRX,
  ...WELL,
  ...over,
})
const found = (desk: Desk, over: Partial<Standing> = {}): Attention[] => attentionOf(desk.account, standing(desk, over))
const kinds = (desk: Desk, over: Partial<Standing> = {}): string[] =>
  found(desk, over).map(({ kind, subject, forMs }) => `${kind} ${subject} ${forMs}`.replace('  ', ' '))
const endOf = (desk: Desk, kind: AttentionKind, subject = '', over: Partial<Standing> = {}): string =>
  endOfAttention({ kind, subject }, desk.account, standing(desk, over))

const block = (desk: Desk, code: Blocked['code'], text = '까닭입니다.'): Desk =>
  desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked: { code, short: false, text, at: desk.now }, at: desk.now })
const freeze = (desk: Desk): Desk =>
  desk.putFacts({ kind: 'stockFrozen', code: CODE, move: { day: DAY, close: 70_000, base: 14_000 }, at: desk.now })
const suspect = (desk: Desk): Desk =>
  desk.putFacts({ kind: 'otherServerSuspected', signs: ['a'], text: '다른 Digger가 있습니까?', at: desk.now })

test('an account that trades calls for nobody', () => {
  expect(found(new Desk())).toEqual([])
  expect(found(new Desk().buy(70_000))).toEqual([])
})

describe('each kind, with its subject and how long it has lasted', () => {
  test.each<[string, (desk: Desk) => Desk, string[]]>([
    ['a stock stopped', (desk) => block(desk, 'ambiguous').wait(5), [`stockStopped ${CODE} ambiguous 5`]],
    ['a stock stopped for its rejects', (desk) => block(desk, 'rejects'), [`stockStopped ${CODE} rejects 0`]],
    ['a mismatch', (desk) => block(desk, 'mismatch').wait(60_000), [`mismatch ${CODE} 60000`]],
    ['a clock set back since', (desk) => block(desk, 'mismatch').wait(-7_200_000), [`mismatch ${CODE} 0`]],
    ['a frozen stock', freeze, [`stockStopped ${CODE} frozen 0`]],
    [
      'blocked and frozen are two matters',
      (desk) => freeze(block(desk, 'rejects')),
      [`stockStopped ${CODE} rejects 0`, `stockStopped ${CODE} frozen 0`],
    ],
    [
      'a limit of the account and one of a stock',
      (desk) =>
        desk.putFacts(
          { kind: 'limitReached', limit: 'lossAmount', text: '손실 한도', at: desk.now },
          { kind: 'stockLimitReached', code: CODE, limit: 'repeatCount', text: '되풀이', at: desk.now },
        ),
      ['limitReached lossAmount 0', `limitReached repeatCount ${CODE} 0`],
    ],
    ['perhaps another Digger', (desk) => suspect(desk).wait(7), ['otherServer 7']],
    ['a due buy that waits', (desk) => desk.price(70_000).wait(29_999), [`orderLate buy ${CODE} 29999`]],
    [
      'a due sale that waits',
      () => new Desk({ autoBuy: false }).do({ kind: 'linked' }).hold([1, 2, 70_000]).timer(),
      [`orderLate sell ${CODE} 0`],
    ],
    ['an order without a verdict', (desk) => desk.buyAt(70_000).lose(1).wait(60_000), ['orderUnknown 1 60000']],
  ])('%s', (_name, make, expected) => expect(kinds(make(new Desk()))).toEqual(expected))

  test('they say which stock, what is wrong, and carry its code', () => {
    const desk = freeze(block(new Desk(), 'mismatch', '장부 3주, 증권사 2주입니다.'))
    desk.putFacts({ kind: 'stockLimitReached', code: CODE, limit: 'repeatCount', text: '열 번째입니다.', at: desk.now })
    expect(found(desk).map(({ code, text }) => [code, text.slice(0, 25)])).toEqual([
      [CODE, '삼성전자: 장부 3주, 증권사 2주입니다.'],
      [CODE, '삼성전자: 기준가가 지난 종가 70,000원에'],
      [CODE, '삼성전자: 열 번째입니다.'],
    ])
    expect(found(new Desk().buyAt(70_000).lose(1)).map(({ code, text }) => [code, text])).toEqual([
      [CODE, '삼성전자 매수 2주 주문의 결과를 알 수 없습니다. 다시 보내지 않고 증권사 목록에서 찾고 있습니다.'],
    ])
    expect(found(new Desk().price(70_000))[0]?.text).toMatch(/^삼성전자: 나가야 할 매수 주문이 .* 확인해 주세요\.$/)
  })

  test('what is over is gone', () => {
    const desk = block(new Desk(), 'rejects').putFacts({ kind: 'stockBlocked', code: CODE, blocked: null, at: 0 })
    suspect(desk).putFacts({ kind: 'otherServerDismissed', known: ['a'], at: 0 })
    desk.price(70_000).price(80_000).timer()
    expect(found(desk)).toEqual([])
  })
})

test('each kind has its patience', () => {
  expect(Object.keys(ALARM_AFTER_MS)).toEqual([...ATTENTION_KINDS])
  // What waits for a person is said at once, what mostly heals by itself later.
  const seconds = ATTENTION_KINDS.map((kind) => ALARM_AFTER_MS[kind] / 1_000)
  expect(seconds).toEqual([0, 60, 0, 0, 30, 60, 120, 300, 60, 300])
})

const special = new Map([['20261119', { ...NORMAL_HOURS, opensAt: 36_000, closesAt: 59_400, preMarketAt: null }]])
const LATE: Timetable = { ...KRX, special }

test.each<[string, Parameters<Desk['choose']>[0], string, Timetable, [number, number] | null]>([
  ['regular session only', {}, DAY, KRX, [90_000, 153_000]],
  ['pre-market chosen', { preMarket: true }, DAY, KRX, [80_000, 153_000]],
  ['evenings chosen', { afterMarket: true }, DAY, KRX, [90_000, 200_000]],
  ['an order of both venues may fill in the evening', { sor: true }, DAY, KRX, [90_000, 200_000]],
  ['all chosen', { preMarket: true, afterMarket: true, sor: true }, DAY, KRX, [80_000, 200_000]],
  ['a late day', {}, '20261119', LATE, [100_000, 163_000]],
  ['a late day without pre-market: its auction', { preMarket: true }, '20261119', LATE, [92_000, 163_000]],
  ['Saturday', { preMarket: true }, SATURDAY, KRX, null],
  ['a closed day', {}, DAY, { ...KRX, closed: new Set([DAY]) }, null],
])('hours: %s', (_name, use, day, timetable, hours) => {
  const { book } = new Desk().choose(use).account
  expect(tradingHours(book, day, timetable)).toEqual(hours === null ? null : hours.map((at) => kstInstant(day, at)))
})

test('hours of a market that never closes are the whole day', () => {
  const hours = tradingHours(new Desk().account.book, SATURDAY, { ...KRX, hours: 'always' })
  expect(hours).toEqual([kstInstant(SATURDAY), kstInstant('20261122')])
})

describe('what keeps the account from its work is missed in its own hours only', () => {
  const UNARMED = { unarmedMs: 9e7 }
  const CLOSED = { opened: false, closedMs: 9e7, connected: false }
  const DOWN = { withoutPricesMs: 9e7, connected: false }
  const SECOND = 1_000

  test.each<[string, Parameters<Desk['choose']>[0], number, Partial<Standing>, string[]]>([
    ['not armed as it opens', {}, 90_000, UNARMED, []],
    ['a second later', {}, 90_001, UNARMED, [`notArmed ${SECOND}`]],
    ['in the last second', {}, 152_959, UNARMED, [`notArmed ${23_399 * SECOND}`]],
    ['as it ends', {}, 153_000, UNARMED, []],
    ['before the pre-market of somebody else', {}, 85_900, UNARMED, []],
    ['in the own pre-market', { preMarket: true }, 80_001, UNARMED, [`notArmed ${SECOND}`]],
    ['in the own evening', { afterMarket: true }, 195_959, UNARMED, [`notArmed ${39_599 * SECOND}`]],
    ['after it', { afterMarket: true, sor: true }, 200_000, UNARMED, []],
    ['not armed for less than it is open', {}, 120_000, { unarmedMs: 7 }, ['notArmed 7']],
    ['no socket as it opens', {}, 90_000, DOWN, ['socketDown 90000000']],
    ['before', {}, 85_959, DOWN, []],
    ['no socket, and no exchange trades', {}, 120_000, { connected: false }, []],
    ['neither book nor socket', {}, 90_001, { ...UNARMED, ...DOWN }, [`notArmed ${SECOND}`, 'socketDown 90000000']],
    ['the key ten minutes ahead', {}, 85_000, CLOSED, []],
    ['the key a second later', {}, 85_001, CLOSED, [`keyAbsent ${SECOND}`]],
    [
      'the key, and nothing else is said beside it',
      {},
      90_001,
      { ...CLOSED, ...DOWN, ...UNARMED },
      [`keyAbsent ${601 * SECOND}`],
    ],
    ['the key ahead of the own pre-market', { preMarket: true }, 75_001, CLOSED, [`keyAbsent ${SECOND}`]],
    ['closed just now', {}, 120_000, { ...CLOSED, closedMs: 3 }, ['keyAbsent 3']],
    ['the key after the end', {}, 153_000, CLOSED, []],
  ])('%s', (_name, use, at, over, expected) => {
    expect(kinds(new Desk().choose(use), { now: kstInstant(DAY, at), ...over })).toEqual(expected)
  })

  test.each<[string, (desk: Desk) => Desk]>([
    ['its person has halted it', (desk) => desk.putFacts({ kind: 'userStopped', stop: 'halt', at: 0 })],
    ['its only stock is halted', (desk) => desk.putFacts({ kind: 'stockStopped', code: CODE, stop: 'halt', at: 0 })],
    ['nothing is to be bought or sold by itself', () => new Desk({ autoBuy: false, autoSell: false })],
    ['it has no stock', (desk) => desk.putFacts({ kind: 'stockRemoved', code: CODE, at: 0 })],
  ])('nobody misses anything where %s', (_name, make) => {
    const desk = make(new Desk())
    expect([...kinds(desk, CLOSED), ...kinds(desk, { ...UNARMED, ...DOWN })]).toEqual([])
  })

  test('selling only still trades', () => {
    const desk = new Desk().putFacts({ kind: 'userStopped', stop: 'reduce', at: 0 })
    expect(kinds(desk, { unarmedMs: 5 })).toEqual(['notArmed 5'])
  })

  test('a closed day and Saturday', () => {
    expect(kinds(new Desk(), { ...CLOSED, now: kstInstant(SATURDAY, 100_000) })).toEqual([])
    expect(kinds(new Desk(), { ...UNARMED, timetable: { ...KRX, closed: new Set([DAY]) } })).toEqual([])
  })
})

describe('the end claims no more than is so', () => {
  const SHUT = { opened: false, connected: false }

  test.each<[string, AttentionKind, string, (desk: Desk) => Desk, Partial<Standing>, string]>([
    ['a stop', 'stockStopped', `${CODE} rejects`, (desk) => desk, {}, '삼성전자: Digger가 멈췄던 것이 풀렸습니다.'],
    [
      'a stop that another took the place of',
      'mismatch',
      CODE,
      (desk) => block(desk, 'rejects'),
      {},
      '아직 멈춰 있습니다',
    ],
    [
      'a stop, another since',
      'stockStopped',
      `${CODE} rejects`,
      (d) => block(d, 'ambiguous'),
      {},
      '아직 멈춰 있습니다',
    ],
    ['a stop of a stock that is frozen, too', 'stockStopped', CODE, freeze, {}, '아직 멈춰 있습니다'],
    [
      'a thaw of a stock that is blocked, too',
      'stockStopped',
      `${CODE} frozen`,
      (desk) => block(desk, 'mismatch'),
      {},
      '아직 멈춰',
    ],
    ['a thaw', 'stockStopped', `${CODE} frozen`, (desk) => desk, {}, '삼성전자: Digger가 멈췄던 것이 풀렸습니다.'],
    [
      'a mismatch',
      'mismatch',
      CODE,
      (desk) => desk,
      {},
      '삼성전자: 장부와 증권사의 주식 수가 다른 까닭에 멈췄던 것이 풀렸습니다.',
    ],
    [
      'a stock that was removed',
      'stockStopped',
      '000660',
      (desk) => desk,
      {},
      '000660: Digger가 멈췄던 것이 풀렸습니다.',
    ],
    ['the only limit', 'limitReached', 'lossAmount', (desk) => desk, {}, '한도에 닿아 멈췄던 것이 풀렸습니다.'],
    [
      'one of two limits',
      'limitReached',
      'lossAmount',
      (desk) => desk.putFacts({ kind: 'limitReached', limit: 'unknownPerHour', text: '', at: 0 }),
      {},
      '다른 한도로 멈춘 것은 아직 있습니다',
    ],
    ['the question about another Digger', 'otherServer', '', (desk) => desk, {}, '정리되었습니다'],
    ['a late buy', 'orderLate', `buy ${CODE}`, (desk) => desk, {}, '삼성전자: 늦던 주문이 더는 밀려 있지 않습니다.'],
    [
      'an order that was found',
      'orderUnknown',
      '1',
      (desk) => desk.buy(70_000),
      {},
      '결과를 모르던 주문 1번이 확인되었습니다.',
    ],
    [
      'one that never arrived',
      'orderUnknown',
      '1',
      (desk) => desk.buyAt(70_000).lose(1).wait(20_000).read([]).wait(2_000).read([]),
      {},
      '확인되었습니다: 접수되지 않은 주문입니다.',
    ],
    ['the socket', 'socketDown', '', (desk) => desk, {}, '실시간 연결이 돌아왔습니다.'],
    ['the day without a socket', 'socketDown', '', (desk) => desk, { connected: false }, '연결은 되어 있지 않습니다.'],
    ['the socket with the key', 'socketDown', '', (desk) => desk, SHUT, '키가 닫혔습니다.'],
    ['the comparison', 'notArmed', '', (desk) => desk, {}, '장부를 증권사와 맞춰 보았습니다.'],
    [
      'the day without it',
      'notArmed',
      '',
      (desk) => desk.do({ kind: 'linked' }),
      {},
      '장부는 아직 맞춰 보지 못했습니다.',
    ],
    [
      'the key that was closed before it',
      'notArmed',
      '',
      (desk) => desk.do({ kind: 'linked' }),
      SHUT,
      '키가 닫혔습니다.',
    ],
    ['the key', 'keyAbsent', '', (desk) => desk, {}, '키가 열렸습니다.'],
    ['the day without the key', 'keyAbsent', '', (desk) => desk, SHUT, '키는 아직 열려 있지 않습니다.'],
  ])('%s', (_name, kind, subject, make, over, text) => {
    expect(endOf(make(new Desk()), kind, subject, over)).toContain(text)
  })

  test('it never says that trading goes on, which a stop may hold back', () => {
    const halted = new Desk().putFacts({ kind: 'userStopped', stop: 'halt', at: 0 })
    for (const kind of ATTENTION_KINDS)
      for (const over of [{}, SHUT, { connected: false }]) {
        expect(endOf(halted, kind, CODE, over)).not.toMatch(/다시 (?:자동으로 )?매매|거래합니다/)
        expect(endOf(halted, kind, CODE, over)).toMatch(/^.+\.$/)
      }
  })
})
