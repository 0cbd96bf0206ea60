import { inFile, type Guard } from './guard.ts'

const other = inFile('account/other-server')
const state = inFile('account/other-server-state')
const locked = inFile('account/locked-shares')
const restored = inFile('account/restored-stock')
const selling = inFile('account/selling')
const buying = inFile('account/buying')
const compared = inFile('account/compare')
const day = inFile('account/new-day')
const correct = inFile('account/correct-shares')
const building = inFile('account/step-builder')
const schedule = inFile('account/schedule')
const snapshot = inFile('account/take-snapshot')
const step = inFile('account/step')
const unknown = inFile('account/unknown')
const seen = inFile('account/seen-rows')
const outlook = inFile('account/outlook')
const alone = inFile('account/stock-alone')

/** What is doubted, and that its person learns it: another server that may trade the account, a stock that stopped. */
export const DOUBTING: readonly Guard[] = [
  unknown('a row of before is no order of now', ' && !wasSeenBefore(view, order, row)', ''),
  seen('nor once it was seen again', 'before.get(key) ?? book.nextOrderId', 'book.nextOrderId'),
  seen('the next order is after it', 'id >= (', 'id > ('),
  outlook('a stop is the first line', '      ...blocked,\n', ''),
  outlook('and stands there once', ' && text !== blocked[0]?.text', ''),
  snapshot('every reading is looked through', '  noticeDoubles(builder)\n', ''),
  step('a key that is held', 'return noticeHeldKey(builder)', 'return undefined'),
  other('a sign stops once', '!isNoted(otherServer, signOf(stranger)) && ', ''),
  other('so does the key', '  if (isNoted(builder.book.otherServer, HELD_KEY)) return\n', ''),
  other('what is known is no sign', 'known.includes(sign) || ', ''),
  other('what is asked is no news', ' || (suspected?.signs.includes(sign) ?? false)', ''),
  other('earlier signs stay', '[...(before?.signs ?? []), ...signs]', '[...signs]'),
  other('and the first words', 'text: before?.text ?? text', 'text'),
  other('what was asked is known', ', ...suspected.signs, ', ', '),
  other('what was known stays so', 'new Set([...known, ', 'new Set(['),
  other('what rests by then is known', ', ...[...builder.view.orders.strangers.values()].map(signOf)]', ']'),
  other('no question, no answer', '  if (suspected === null) return done\n', ''),
  other('changed orders are a person’s', ' || stranger.replaces !== null', ''),
  other('late orders of ours', '  if (isLateOrder(builder, stranger)) return false\n', ''),
  other('what is over was not made now', '(rests && isWanted(', '(isWanted('),
  other('side', 'one.side === other.side && ', ''),
  other('price', 'one.price === other.price && ', ''),
  other('count', ' && one.count === other.count', ''),
  other('resting orders of ours', '  if (live.some(', '  if (live.length < 0 && live.some('),
  other('of the rules, not of a person', "order.origin === 'auto' && isSameOffer", 'isSameOffer'),
  other('sales that the rules ask for', '.missing.some(', '.missing.every('),
  other('buys that they ask for', "plan.kind === 'buy' && isSameOffer", "plan.kind === 'hold' && isSameOffer"),
  other('orders of the same moment', ' || isOfSameMoment(builder, stranger)', ''),
  other('of the moment only', '<= SAME_MOMENT_MS', '>= 0'),
  other('of the rules only', " || order.origin !== 'auto' || ", ' || '),
  other('a restored book is looked into first', "  if (problem !== null) return refused('CONFLICT', problem)\n", ''),
  other('by a list that was read', '!connection.armed || ', ''),
  other('lately', ' || ctx.now - readSchedule.lastAt > FRESH_LISTS_MS', ''),
  other(
    'with every difference decided',
    'stocks.suspectedMismatches.size + stocks.strangerFillsSince.size > 0',
    'false',
  ),
  other('with the socket', '  if (!isConnected) return NOT_CONNECTED\n', ''),
  other('and nobody else’s order since', 'orderedAt !== null && orderedAt > since', 'orderedAt === -1'),
  other('of the last minutes', ', ctx.now - RECENT_MS)', ')'),
  other('whatever its clock was', 'at > ctx.now ? 0 : at', 'at'),
  other(
    'who takes the key afterwards is another',
    '  if (restoredAt(builder.book.otherServer) !== null) signs.delete(HELD_KEY)\n',
    '',
  ),
  locked('no second order beside one of since then', '    one.side === side &&\n', '    one.side !== side &&\n'),
  locked(
    'of its stock',
    '    one.code === stock.issue.code &&\n    one.remainingCount',
    '    one.code !== stock.issue.code &&\n    one.remainingCount',
  ),
  locked('while it rests', '    one.remainingCount > 0 &&\n', ''),
  locked('of a restored book only', ' || !wasRestored(book.otherServer)', ''),
  compared('as many shares are no agreement', 'book === broker && isToBeCorrected(builder, stock)', 'book < 0'),
  compared('of what a restored book lacks nothing is automatic', ' || isOfRestored(builder, stock)', ''),
  compared(
    'until its person corrects it',
    '    if (isOfRestored(builder, stock)) blockUntil',
    '    if (seen.book < 0) blockUntil',
  ),
  restored('what is to be corrected stays so', '  if (blocked?.untilCorrected === true) return true\n', ''),
  restored('fills of somebody else are to be corrected', 'strangeFills(view, code) > ', '0 > '),
  restored('once', '(view.stocks.correctedStrangers.get(code) ?? 0)', '0'),
  restored('while it is asked about', '  if (restoredAt(book.otherServer) === null) return false\n', ''),
  restored('differences of the day, too', ' || wasRestored(otherServer)', ''),
  restored('a doubt about orders stays', "now !== null && now.code !== 'mismatch' && now.buysOnly !== true", 'false'),
  restored('and is no more than the buys’ own', ' && now.buysOnly !== true', ''),
  restored('what is to be corrected comes after it', '? ({ ...now, untilCorrected: true } as const)', '? now'),
  restored(
    'whatever else was over',
    '  if (blocked?.untilCorrected === true) blockUntilCorrected(builder, code, `${name}: ${UNSEEN}`, true)\n',
    '',
  ),
  restored('shares of a day that nobody saw', 'lots.length > 0 || ', ''),
  restored('orders of such a day', ' || liveOrders(builder.book, issue.code).length > 0', ''),
  restored('dearer shares', 'holding.averagePrice * remainCount(lots) > remainAmount(lots) * SAME_AVERAGE', 'false'),
  restored('by more than the fee', ' * SAME_AVERAGE', ''),
  restored('of the book only', 'kept === 0 && ', ''),
  restored(
    'what was never compared is looked at when its person goes on',
    'if (stock.blocked?.untilCorrected !== true && isToBeCorrected(builder, stock))',
    'if (stock.lots.length < 0)',
  ),
  restored(
    'a correction settles it under another stop',
    "stop?.untilCorrected === true && stop.code !== 'mismatch'",
    'stop === null',
  ),
  other(
    'before that they are asked about',
    '  if (restoredAt(builder.book.otherServer) !== null) doubtTraded(builder)\n',
    '',
  ),
  other('by a clock that is known', 'ctx.isTimeUnknown === true || ', ''),
  day(
    'another day hides what was traded',
    '  if (restoredAt(builder.book.otherServer) !== null) doubtHoldings(builder)\n',
    '',
  ),
  day('of a restored book only', 'if (restoredAt(builder.book.otherServer) !== null) doubt', 'doubt'),
  compared('what was seen by no reading is no evidence', ' && stock.blocked.equal !== true', ''),
  correct('dearer shares are agreed to one by one', '!alone && gap === 0 && ', 'gap < -1e9 && '),
  building(
    'what is to be corrected outlives another stop',
    '        ...(now?.untilCorrected === true && { untilCorrected: true }),\n',
    '',
  ),
  selling(
    'sales of a restored book stay as they are',
    '  if (!isEdited && restoredAt(builder.book.otherServer) !== null) return\n',
    '',
  ),
  buying('so do its buys', '  if (code === undefined && restoredAt(builder.book.otherServer) !== null) return\n', ''),
  schedule(
    'a restored book is held against the list often',
    'restoredAt(otherServer) === null ? Number.POSITIVE_INFINITY : READ_INTERVAL_MS',
    'Number.POSITIVE_INFINITY',
  ),
  state(
    'a suspicion outlives the day',
    'return state.known.length === 0 ? state : { ...state, known: [] }',
    'return NO_OTHER_SERVER',
  ),
  state(
    'what is known does not',
    "case 'dayOpened':\n      return state.known.length === 0 ? state : { ...state, known: [] }\n",
    '',
  ),
  alone('a stock alone only with the permission', '!view.connection.authorised || ', ''),
  alone('only where the list of all is late', ' || ctx.now - lastAt < LIST_IS_LATE_MS', ''),
  alone('one question at a time', 'alone.out ? TIMEOUT_MS : every', 'every'),
  alone('questions lie apart', '[ripe, MIN_ABSENCE_INTERVAL_MS]', '[ripe, 0]'),
  alone('seldom while it may arrive', '[listed, MAY_ARRIVE_INTERVAL_MS]', '[listed, MIN_ABSENCE_INTERVAL_MS]'),
  alone('after a failure it waits', 'ctx.now + AFTER_FAILURE_MS - MIN_ABSENCE_INTERVAL_MS', 'alone.at'),
  alone('not before it is listed', '  builder.ctx.now >= updatedAt + LISTING_LAG_MS &&\n', ''),
  alone('not where a person decides', " &&\n  builder.stock(code)?.blocked?.code !== 'ambiguous'", ''),
  alone('not what was asked in another time', ' || list.askedAt > ctx.now', ''),
  alone('a list that lacks one is not whole', "? 'shown' : 'lacking'", "? 'shown' : 'shown'"),
  alone(
    'an empty list of a stock without orders proves nothing',
    "provesAbsence: listed === 'shown'",
    'provesAbsence: true',
  ),
  alone('nor is it asked for so often', ' && listedOrders(builder, order.code, builder.ctx.now).length > 0', ''),
  alone('but one of just now', '      at >= order.createdAt + LISTED_WITHIN_MS &&\n', ''),
  alone('or one that was never listed', ' &&\n      !view.orders.unlisted.has(order.id)', ''),
]
