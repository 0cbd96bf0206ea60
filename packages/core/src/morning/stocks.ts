import { isFrozen } from '../account/frozen.ts'
import type { Quote } from '../account/step-types.ts'
import type { Book, Stock } from '../account/types.ts'
import { kstDay } from '../krx/kst.ts'
import { dayEnds, isTradingDay } from '../krx/session.ts'
import { is } from './connection.ts'
import type { MorningInput, MorningItem } from './types.ts'

interface Trading {
  readonly account: { readonly book: Pick<Book, 'stocks'> }
}

/** Those that are to be bought or sold by themselves. */
export const automaticOf = ({ account: { book } }: Trading): Stock[] =>
  [...book.stocks.values()].filter(
    ({ stop, settings: { autoBuy, autoSell } }) => stop !== 'halt' && (autoBuy || autoSell),
  )

export const MOVED = '기준가가 바뀐 종목이 있습니다. 거래 화면에서 조정하거나 그대로 두도록 정해 주세요.'
const NO_STOCKS = '자동으로 사고팔 종목이 없습니다.'
const CLOSED_DAY = '오늘은 쉬는 날이라 읽지 않습니다.'

/** KRX is open: what is not known of the day by now holds orders back. */
function isOpen({ ctx: { now, timetable } }: MorningInput): boolean {
  const day = kstDay(now)
  return isTradingDay(day, timetable) && now >= dayEnds(day, timetable).opens
}

function codesWhere(input: MorningInput, matches: (quote: Quote | undefined, stock: Stock) => boolean): string[] {
  return automaticOf(input)
    .filter((stock) => matches(input.ctx.quote(stock.issue.code), stock))
    .map(({ issue }) => issue.code)
}

/** What says nothing about any stock: nobody trades one, or not today. */
function nothing(input: MorningInput, item: ReturnType<typeof is>): MorningItem | null {
  if (automaticOf(input).length === 0) return item('notApplicable', NO_STOCKS)
  const { now, timetable } = input.ctx
  return isTradingDay(kstDay(now), timetable) ? null : item('notApplicable', CLOSED_DAY)
}

const hasNoLimits = (quote: Quote | undefined): boolean => (quote?.band ?? null) === null

export function limitsItem(input: MorningInput): MorningItem {
  const limits = is('limits')
  const none = nothing(input, limits)
  if (none !== null) return none
  const codes = codesWhere(input, hasNoLimits)
  if (codes.length === 0) return limits('ok', '오늘의 상한가와 하한가를 모두 읽었습니다.')
  return isOpen(input)
    ? limits(
        'red',
        `장이 열렸는데 ${codes.length}개 종목의 상한가·하한가를 읽지 못해 그 종목은 사지 않습니다. 30초마다 다시 읽습니다. 계속되면 증권사 앱에서 거래되는 종목인지 봐 주세요.`,
        { codes },
      )
    : limits('waiting', `${codes.length}개 종목의 오늘 상한가·하한가를 기다립니다. 장이 열리기 전에 읽습니다.`, {
        codes,
      })
}

export function baseItem(input: MorningInput): MorningItem {
  const base = is('base')
  const none = nothing(input, base)
  if (none !== null) return none
  const moved = codesWhere(input, (_, stock) => isFrozen(stock, input.ctx))
  if (moved.length > 0) return base('red', MOVED, { codes: moved })
  const doubted = codesWhere(input, (quote) => quote?.isDoubted === true)
  if (doubted.length > 0)
    return base('red', '체결가와 현재가 조회의 기준가가 달라, 같아질 때까지 그 종목은 사지 않고 다시 읽습니다.', {
      codes: doubted,
    })
  const unread = codesWhere(input, hasNoLimits)
  return unread.length > 0
    ? base('waiting', '상한가·하한가와 함께 읽습니다.', { codes: unread })
    : base('ok', '오늘의 기준가를 읽어 지난 종가와 견주었습니다.')
}

export function venuesItem(input: MorningInput): MorningItem {
  const venues = is('venues')
  const none = nothing(input, venues)
  if (none !== null) return none
  const { ctx, account, facts } = input
  const { sor, preMarket, afterMarket } = account.book.venues
  if (ctx.env === 'paper' || ctx.timetable.hours === 'always' || !(sor || preMarket || afterMarket))
    return venues('notApplicable', 'KRX에만 주문합니다.')
  const unread = codesWhere(input, (_, { issue }) => !facts.isIssueRead(issue.code))
  if (unread.length > 0)
    return venues(
      'waiting',
      `${unread.length}개 종목이 오늘 NXT에서 거래되는지 아직 읽지 못했습니다. 그동안은 마지막으로 읽은 대로 주문합니다.`,
      { codes: unread },
    )
  const count = automaticOf(input).filter(({ issue }) => issue.nxt).length
  return venues('ok', `종목마다 거래소를 읽었습니다. NXT에서도 거래되는 종목은 ${count}개입니다.`)
}
