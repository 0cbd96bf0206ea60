import { createCipheriv } from 'node:crypto'
import { kstTime } from '@digger/core'
import { BOOK_FIELDS_OLD_COUNT, NOTICE_VENUE, SIDE_CODE, TICK_FIELDS_OLD_COUNT } from '@digger/kis'
import { DIVISIONS } from '../exchange/divisions.ts'
import type { SimIssue, TapeVenue } from '../exchange/issue.ts'
import { LEVELS, type Level } from '../exchange/quotes.ts'
import type { Print, Tape } from '../exchange/tape.ts'
import type { SimOrder } from '../ledger/account.ts'
import { changeSign, decimals, percent } from '../rest/numbers.ts'
import type { Wire } from '../broker/broker.ts'

export interface TickContext {
  readonly issue: SimIssue
  readonly tape: Tape
  /** What STCK_CNTG_HOUR and ACML_VOL say. */
  readonly time: string
  readonly volume: number
  readonly print: Print
  readonly day: string
  /** HOUR_CLS_CODE: 0 traded; A, B, C expected at the close, the open, in an interruption. */
  readonly hourClass: '0' | 'A' | 'B' | 'C'
  /** MARKET_CLS_CODE: 1 before, 2 regular, 3 after-market, 5 closing. */
  readonly marketClass: string
  readonly asks: readonly Level[]
  readonly bids: readonly Level[]
  readonly best: { readonly ask: number; readonly bid: number }
}

const sum = (levels: readonly Level[]): number => levels.reduce((total, { count }) => total + count, 0)

/** A tick record, in the order of the client's TICK_FIELDS. */
export function tickRecord(context: TickContext, version: Wire['version']): string {
  const { issue, tape, print, day, asks, bids } = context
  const base = issue.shownBase
  const { price } = print
  const expected = context.hourClass !== '0'
  const values: (string | number)[] = [
    issue.listing.code,
    context.time,
    price,
    changeSign(price, base, issue.shownLimits),
    price - base,
    decimals(percent(price - base, base), 2),
    decimals(tape.volume === 0 ? 0 : tape.amount / tape.volume, 2),
    tape.open,
    tape.high,
    tape.low,
    context.best.ask,
    context.best.bid,
    print.count,
    context.volume,
    tape.amount,
    tape.sellTrades,
    tape.buyTrades,
    tape.buyTrades - tape.sellTrades,
    decimals(percent(tape.buyVolume, tape.sellVolume), 2),
    tape.sellVolume,
    tape.buyVolume,
    expected ? '3' : print.aggressor === 'buy' ? '1' : '5',
    decimals(tape.volume === 0 ? 0 : tape.buyVolume / tape.volume, 2),
    decimals(percent(tape.volume, tape.volumeBefore), 2),
    ...dayExtremes(tape, price),
    day,
    MARKET_OPERATION[context.hourClass],
    issue.halted ? 'Y' : 'N',
    asks[0]?.count ?? 0,
    bids[0]?.count ?? 0,
    sum(asks),
    sum(bids),
    '0.00',
    tape.volumeBefore,
    decimals(percent(tape.volume, tape.volumeBefore), 2),
    context.hourClass,
    '',
    base,
  ]
  if (version === 'current') values.push(context.marketClass)
  else values.length = TICK_FIELDS_OLD_COUNT
  return values.join('^')
}

/** NEW_MKOP_CLS_CODE by HOUR_CLS_CODE: 10 before the open, 21 at the close, 20 in session. */
const MARKET_OPERATION = { '0': '20', A: '21', B: '10', C: '20' } as const

/** Open, high and low: when each was traded, and where the price stands against it. */
const dayExtremes = (tape: Tape, price: number): (string | number)[] =>
  [
    { time: tape.openTime, of: tape.open },
    { time: tape.highTime, of: tape.high },
    { time: tape.lowTime, of: tape.low },
  ].flatMap(({ time, of }) => [time, changeSign(price, of), price - of])

const ten = (levels: readonly Level[], of: 'price' | 'count'): number[] =>
  Array.from({ length: LEVELS }, (_, i) => levels[i]?.[of] ?? 0)

export interface BookContext {
  readonly asks: readonly Level[]
  readonly bids: readonly Level[]
  readonly at: number
  /** Orders only collect, during a session. */
  readonly collects: boolean
}

/** A book record: 63, 65 or 66 fields, fewer before 2026-09-14. */
export function bookRecord(
  issue: SimIssue,
  venue: TapeVenue,
  { asks, bids, at, collects }: BookContext,
  version: Wire['version'],
): string {
  const tape = issue.tapes[venue]
  const { bid, ask } = issue.quotes[venue === 'NXT' ? 'NXT' : 'KRX']
  const middle = Math.floor((bid + ask) / 2)
  const values: (string | number)[] = [
    issue.listing.code,
    kstTime(at),
    collects ? 'C' : '0',
    ...ten(asks, 'price'),
    ...ten(bids, 'price'),
    ...ten(asks, 'count'),
    ...ten(bids, 'count'),
    sum(asks),
    sum(bids),
  ]
  // Off-hours totals, then the expected price: none while trading goes on, with a change of minus the base.
  values.push(0, 0, 0, 0, 0, -issue.shownBase, '5', '-100.00', tape.volume, 0, 0, 0, 0, '')
  const tail = venue === 'KRX' ? [middle, 0, 0, '2'] : [middle, 0, 0, middle, 0, 0, ...(venue === 'UN' ? ['1'] : [])]
  values.push(...tail)
  if (version === 'legacy') values.length = BOOK_FIELDS_OLD_COUNT[venue]
  return values.join('^')
}

export interface NoticeContext {
  readonly order: SimOrder
  readonly htsId: string
  readonly ownerName: string
  readonly issueName: string
  readonly branch: string
  readonly at: number
  /** Shares of this fill; in a receipt, of the order. */
  readonly count: number
  readonly price: number
  readonly refused: boolean
  readonly fill: boolean
  /** ACPT_YN: 1 accepted, 2 confirmed, 3 rest cancelled by IOC or FOK. */
  readonly acceptance: '1' | '2' | '3'
}

const digits = (n: number, width: number): string => String(n).padStart(width, '0')

/** An execution notice in plain text; 23 fields before NXT, 26 since. */
export function noticeRecord(context: NoticeContext, fields: Wire['noticeFields']): string {
  const { order, fill } = context
  const { timeInForce = 'day' } = DIVISIONS.get(order.division) ?? {}
  const head = [
    context.htsId,
    order.account,
    order.odno,
    order.original ?? '',
    SIDE_CODE[order.side],
    order.change === null ? '0' : order.change === 'modify' && !fill ? '1' : fill ? '0' : '2',
    // A fill carries 00 whatever the order was; so do the broker's own examples.
    fill ? '00' : order.division,
    { day: '0', ioc: '1', fok: '2' }[timeInForce],
    order.code,
    digits(context.count, 10),
    digits(context.price, 9),
    kstTime(context.at),
    context.refused ? '1' : '0',
    fill ? '2' : '1',
    context.acceptance,
    context.branch,
    digits(order.count, 9),
    context.ownerName,
  ]
  const orderPrice = digits(fill ? order.price : 0, 9)
  if (fields === 23) return [...head, context.issueName, '10', '', context.issueName, orderPrice].join('^')
  const routed = order.routed === 'NXT' ? NOTICE_VENUE.SOR_NXT : NOTICE_VENUE.SOR_KRX
  const venue = order.venue === 'SOR' ? routed : NOTICE_VENUE[order.venue]
  return [...head, digits(order.trigger, 9), venue, 'Y', '', '10', '', context.issueName, orderPrice].join('^')
}

export function encrypted(plain: string, key: string, iv: string): string {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('base64')
}

/** `flag|id|count|records`: the count has three digits. */
export const frame = (flag: '0' | '1', trId: string, count: number, body: string): string =>
  `${flag}|${trId}|${digits(count, 3)}|${body}`
