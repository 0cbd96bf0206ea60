import { inFile, type Guard } from './guard.ts'

const compare = inFile('account/compare')
const correct = inFile('account/correct-shares')
const strangers = inFile('account/strangers')

/** What is made of differences between the book and the broker's lists. */
export const COMPARING: readonly Guard[] = [
  compare('only the shares that were to come', 'broker - book === sharesToCome(expected)', 'expected.count >= 0'),
  compare('not what somebody bought', 'newStrangerShares(view, issue.code) === 0 &&', ''),
  compare('nor what an order that was changed may have', ' &&\n  !hasChangedFill(view, issue.code)', ''),
  strangers('nor one that has filled to its end', ' || (isOfBook && stranger.filledCount > 0)', ''),
  compare('not before it is settled', '  frozen === null &&', "  issue.code !== '' &&"),
  compare(
    'no holdings, no comparison',
    '  if (balance === null) return\n  builder.patchView({ readSchedule: { lastBalanceAt',
    '  builder.patchView({ readSchedule: { lastBalanceAt',
  ),
  compare(
    'not while things move',
    'isUnsettled(builder, code, askedAt) && !isStrangerFill(builder, code, askedAt, broker - book)',
    'askedAt < 0',
  ),
  compare('nor of a stock in which something changed while the holdings were read', 'moved.includes(code) || ', ''),
  compare(
    'balance lags strange fills',
    'return askedAt < strangeSince + FILL_LAG_MS || isOursUnsettled(builder, code, askedAt)',
    'return strangeSince > askedAt || isOursUnsettled(builder, code, askedAt)',
  ),
  compare(
    'our own fills first',
    '!isOursUnsettled(builder, code, askedAt) && isExplained(builder.view, code, difference)',
    'isExplained(builder.view, code, difference)',
  ),
  compare(
    'balance lags fills',
    'if (order.filledCount > 0 && order.updatedAt > askedAt - FILL_LAG_MS) return true',
    '',
  ),
  compare('orders without a verdict', 'if (hasNoVerdict(order.status)) return true', ''),
  compare(
    'fills only notices reported',
    '(builder.view.orders.noticedFills.get(order.odno) ?? 0) > order.filledCount) return true',
    'order.count < 0) return true',
  ),
  compare('old readings do not arm', '  if (askedAt < builder.view.connection.linkedAt) return\n', ''),
  compare(
    'a doubt is no comparison',
    'stillUncompared(builder, [...skipped, ...doubted])',
    'stillUncompared(builder, skipped)',
  ),
  compare('believed the second time', 'if (sure) {', 'if (seen.at > 0) {'),
  compare('the two readings lie apart', 'again && seen.at - before.at >= CONFIRM_MISMATCH_MS', 'again'),
  compare(
    'corrections need a second reading',
    'if (isBlocked || (same && askedAt - before.at >= CONFIRM_MISMATCH_MS))',
    'if (askedAt > 0)',
  ),
  correct('what two sells of one lot brought', 'sum + row.filledCount, ownBeyond.count)', 'sum + row.filledCount, 0)'),
  compare('agreement forgets no rejects', ', rejects: Math.min(rejects, MAX_REJECTS - 1) })', ' })'),
  correct(
    'sales of earlier days may be ours',
    'countOf(all) === missing ? all : all.filter(({ day }) => day === builder.book.day)',
    'all',
  ),
  correct('they are somebody else’s where they are all that is missing', 'countOf(all) === missing ? all : ', ''),
  correct('not while an order is open to doubt', 'live.some((order) => hasNoVerdict(order.status))', 'false'),
  correct(
    'not right after a fill',
    'if (isUnsettled(builder, code, snapshot.askedAt)) {',
    'if (snapshot.askedAt < 0) {',
  ),
  compare('a block of the list is no second look', ' && !builder.view.stocks.strangerFillsSince.has(code)', ''),
  correct(
    'only what was seen twice',
    'if (gap !== 0 && !confirmed) return',
    'if (gap !== 0 && snapshot.askedAt < 0) return',
  ),
  correct('no lot without a price', 'if (more > 0 && price === null) return', 'if (more < 0) return'),
  correct('not the shares on sale', 'orderOfLot(live, lot.id) === undefined', 'true'),
  correct('newest lots first', 'b.boughtAt - a.boughtAt || b.id - a.id', 'a.boughtAt - b.boughtAt || a.id - b.id'),
  correct('our own sales give no price', ' && !ours.has(orderKey(row.day, row.odno))', ''),
  strangers('only fills are suspect', 'stranger.filledCount > (before?.filledCount ?? 0)', 'stranger.filledCount >= 0'),
  strangers(
    'the list alone blocks',
    'if (view.connection.armed) for (const code of grown) blockForStrangers(builder, code)',
    '',
  ),
  strangers('not before a comparison', 'if (view.connection.armed) for', 'for'),
  strangers(
    'only what is new blocks',
    'if (difference === 0 || comparisonHolds) return',
    'if (comparisonHolds) return',
  ),
  strangers(
    'a comparison is not taken back',
    'if (difference === 0 || comparisonHolds) return',
    'if (difference === 0) return',
  ),
  strangers('earlier days are not those of the book', 'if (row.day !== book.day) continue', ''),
  strangers('a deleted stock is no suspect', '.filter(([code]) => book.stocks.has(code))', ''),
  strangers('a fill of a stranger is suspect', 'fillsSince.set(code, askedAt)', 'void askedAt'),
  strangers(
    'an order without a number is no stranger',
    '    if (nameless.some((order) => isLike(order, row, view.orders.clockUncertain.has(order.id)))) continue\n',
    '',
  ),
  strangers(
    'what was there before an order is not that order',
    'isLike(order, row, view.orders.clockUncertain.has(order.id))',
    'isLike(order, row, true)',
  ),
  strangers(
    'only what came since explains',
    ' - (stocks.agreedStrangers.get(code) ?? 0)\n',
    ' - 0 * stocks.agreedStrangers.size\n',
  ),
  strangers('a changed order is no fill', ' && stranger.replaces === null\n', '\n'),
  strangers('nor brings shares', ' && one.replaces === null', ''),
  strangers('others’ stocks while they rest', 'if (isKept || stranger.remainingCount > 0)', 'if (isKept)'),
  strangers('people see what rests', ' && remainingCount > 0)\n', ')\n'),
  strangers('of today', 'day === book.day && ', ''),
  strangers('sales take off', "one.side === 'buy' ? one.filledCount : -one.filledCount", 'one.filledCount'),
]
