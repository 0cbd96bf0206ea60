import { inFile, type Guard } from './guard.ts'

const orderStatus = inFile('account/order-status')
const ledger = inFile('account/ledger')
const fill = inFile('account/book-fill')
const share = inFile('account/cost-share')
const rowEnd = inFile('account/row-end')
const unknown = inFile('account/unknown')
const ending = inFile('account/end-order')
const reference = inFile('account/reference')
const evolve = inFile('account/evolve')
const asLoaded = inFile('account/as-loaded')

/** What the broker reports, and what the book makes of it. */
export const BOOKING: readonly Guard[] = [
  share('parts of a buy share its fee, each in its place', '(lot.boughtBefore ?? 0) + lot.buyAmount', 'lot.buyAmount'),
  share('a part that leaves is the last one', 'lot.buyAmount - costShare(lot, count)', '0'),
  orderStatus('a refused order never fills', '  rejected: { find: true },', '  rejected: { find: true, fill: true },'),
  orderStatus('a refused order can be found', '  rejected: { find: true },', '  rejected: {},'),
  orderStatus('an order given up can be found', '  notPlaced: { find: true },', '  notPlaced: {},'),
  orderStatus('a fill can overtake a cancel', '  cancelled: { fill: true },', '  cancelled: {},'),
  orderStatus('a fill can follow expiry', '  expired: { fill: true },', '  expired: {},'),
  orderStatus('unknown orders are live', " || status === 'unknown'", ''),
  orderStatus('intended orders are live', "status === 'intended' || ", ''),
  orderStatus('orders being cancelled are live', " || status === 'cancelling'", ''),

  ledger('cancel rows are no orders', '=> originalOdno === null', '=> originalOdno !== undefined'),
  ledger('a row of another order is not booked', '=> code === order.code && side === order.side)', '=> code !== side)'),
  ledger('only more than before is booked', 'row.filledCount > order.filledCount &&', 'row.filledCount > 0 &&'),
  fill('no more than ordered is booked', 'row.filledCount > order.count || ', ''),
  fill('the money never shrinks', ' || row.filledAmount < order.filledAmount', ''),
  fill('only legal fills are booked', "  if (!builder.assertMove(order, 'fill')) return false\n", ''),
  fill(
    'only the new shares are booked',
    'const count = row.filledCount - order.filledCount',
    'const count = row.filledCount',
  ),
  fill(
    'only the new money is booked',
    'const amount = row.filledAmount - order.filledAmount',
    'const amount = row.filledAmount',
  ),
  fill(
    'what filled earlier is of its day',
    '  if (kstDay(ctx.now) <= day) return ctx.now\n',
    "  if (day > '') return ctx.now\n",
  ),
  fill(
    'and within that day',
    'Math.min(dayEnds(day, ctx.timetable).all, kstMidnight(day) + DAY_MS - 1)',
    'dayEnds(day, ctx.timetable).all',
  ),

  rowEnd(
    'rejects end as rejects',
    'row.rejectedCount > 0 &&\n  row.filledCount === 0 &&\n',
    'row.rejectedCount < 0 &&\n',
  ),
  rowEnd('only soon after the order', 'askedAt < order.createdAt + REJECTED_WITHIN_MS || ', 'true || '),
  rowEnd('or by a notice', " || view.refusedByNotice.has(order.odno ?? '')", ''),
  rowEnd('cancelled before remainder', '  row.cancelled ||\n', ''),
  rowEnd('no remainder ends', '  row.remainingCount <= 0 ||\n', ''),
  rowEnd('our own cancel', "if (order.cancelAsked) return { end: 'cancelled', note: null, byOther: false }\n", ''),
  rowEnd('a cancellation of somebody else', 'if (evidence.hasCancelRow) return CANCELLED_ELSEWHERE\n', ''),
  rowEnd('after the close it expired', 'if (mayHaveExpired(order, evidence)) return', 'if (order.id < 0) return'),
  rowEnd(
    'each venue has its close',
    "venue === 'NXT' || session === 'after' ? ends.all : ends.regular",
    'ends.regular',
  ),
  rowEnd('a row of about the end', 'const latest = readAt + AHEAD_MS', 'const latest = readAt'),
  rowEnd('what was made after the close did not', ' && createdAt < end', ''),
  rowEnd('nothing left, and the list had its time', ' + LISTING_LAG_MS\n', '\n'),

  ledger('the session ends orders', 'if (isExpired(builder, now, askedAt)) return', 'if (askedAt < 0) return'),
  ledger(
    'absent orders expire',
    'if (order !== undefined && isLive(order.status)) applyAbsence(builder, order, snapshot)',
    '',
  ),
  ledger(
    'absent only after the session',
    'if (!isExpired(builder, order, snapshot.askedAt)) return',
    'if (snapshot.askedAt < 0) return',
  ),
  ledger(
    'cancels are asked again',
    "now.status === 'cancelling' && !isOut && askedAt >=",
    "now.status === 'cancelling' && !isOut && askedAt < 0 &&",
  ),
  ledger('what waits in our own queue is not asked again', ' && !isOut', ''),
  ledger('but not for ever', ' && askedAt < now.updatedAt + SEND_TIMEOUT_MS', ''),
  fill(
    'late fills get a lot of their own',
    'late ? [undefined, builder.book.nextLotId] : [held, reserved]',
    '[held, reserved]',
  ),
  fill('a growing lot is not sold', 'buyOrderId: isLive(order.status) ? order.id : null', 'buyOrderId: null'),
  fill(
    'shares nobody booked stop the stock',
    '  if (open > 0) {\n    builder.block',
    '  if (open < 0) {\n    builder.block',
  ),
  fill(
    'the last lot takes the rest of the money',
    'shares === open ? money : shareOf(money, shares, open)',
    'shareOf(amount, shares, count)',
  ),
  ledger('notices of others are forgotten', 'over ? [] : open', 'open'),

  unknown('nothing of other stocks', '(code !== null && order.code !== code)', 'false'),
  unknown('not before the listing lag', ' && askedAt >= conclusiveFrom(order)', ''),
  unknown(
    'only readings of its day',
    'order.day >= from && order.day <= to && askedAt >= conclusiveFrom',
    'askedAt >= conclusiveFrom',
  ),
  unknown(
    'not before the lag, nor in lists of other days',
    "if (order.status === 'unknown' && !mayBeListed(order, snapshot)) return\n",
    '',
  ),
  unknown(
    'absent twice',
    'if (!isAbsent(builder, order, snapshot)) return',
    'if (!isConclusive(order, snapshot)) return',
  ),
  unknown('the two readings lie apart', ' && askedAt - first >= MIN_ABSENCE_INTERVAL_MS', ''),
  unknown('our own rows are no candidates', '.filter((row) => !ours.has(orderKey(row.day, row.odno)))', ''),
  unknown('equal orders on their way', "  if (twins.some((twin) => twin.status === 'intended')) return\n", ''),
  unknown(
    'several candidates: a person decides',
    'candidates.length > alike && !builder.view.orders.operatorConfirmed.has(order.id)',
    'false',
  ),
  unknown('a person can decide', ' && !builder.view.orders.operatorConfirmed.has(order.id)', ''),
  unknown('a row is taken once', '  strangers.splice(strangers.indexOf(row), 1)\n', ''),
  unknown('also by one given up', '    return take(strangers, found)\n', '    return undefined\n'),
  unknown(
    'the stock stops when one comes back',
    "builder.block(order.code, 'ambiguous', text)\n  for (const rival",
    "builder.block('', 'ambiguous', text)\n  for (const rival",
  ),
  unknown('one that comes back waits for its place', 'if (rivals.length === 0) adopt', 'adopt'),
  unknown('newer orders make way', '  for (const rival of rivals) askCancel(builder, rival.id)\n', ''),
  unknown('rows of the same code', '    row.code === order.code &&\n', ''),
  unknown('rows of the same side', '    row.side === order.side &&\n', ''),
  unknown('rows of the same count', '    row.count === order.count &&\n', ''),
  unknown('rows of the same price', '(hasNoPrice(order) || row.price === order.price)', 'true'),
  unknown('orders without a price', '(hasNoPrice(order) || row.price === order.price)', 'row.price === order.price'),
  unknown('market and best have none', "type !== 'limit'", "type === 'market'"),
  unknown('orders without a price are alike', 'hasNoPrice(other) || hasNoPrice(order) || other.price', 'other.price'),
  unknown(
    'one with a price chooses first',
    "  if (hasNoPrice(order) && twins.some((twin) => twin.status === 'unknown' && !hasNoPrice(twin))) return\n",
    '',
  ),
  unknown('rows of the same day', '  row.day === order.day &&\n', ''),
  unknown('rows not older', 'row.orderedAt >= order.createdAt - CLOCK_SKEW_MS', 'true'),
  unknown('orders of a wrong clock', 'clockUncertain || ', ''),
  unknown('rows not newer', 'row.orderedAt <= latestArrival(order)', 'true'),
  unknown('rows without a time', '(row.orderedAt === null ||\n    (row', '(row.orderedAt !== null &&\n    (row'),
  unknown('rows of a later session', ' && !isOfLaterSession(order, row.orderedAt, timetable)', ''),
  unknown('rows without a time are not too early', '(row.orderedAt === null || clockUncertain', '(clockUncertain'),
  unknown('rows without a time come last', 'Number.MAX_SAFE_INTEGER', '0'),
  unknown('one given up may come late', 'absentFrom === null ? updatedAt : Number.POSITIVE_INFINITY', 'updatedAt'),
  unknown(
    'one that never left comes not',
    'absentFrom === null ? updatedAt',
    'absentFrom === null ? Number.POSITIVE_INFINITY',
  ),
  unknown('a refused one comes not late', 'return updatedAt + REFUSED_SKEW_MS', 'return Number.POSITIVE_INFINITY'),
  unknown('refused ones are looked for', ", 'notPlaced', 'rejected'] as const", ", 'notPlaced'] as const"),
  unknown(
    'a newer one without a verdict first',
    "  if (order.status !== 'unknown' && twins.some((twin) => twin.status === 'unknown')) return\n",
    '',
  ),
  unknown(
    'inherited orders wait longer',
    "status === 'unknown' && absentFrom !== null ? absentFrom",
    "status === 'filled' && absentFrom !== null ? absentFrom",
  ),
  unknown('found cash is news', '  noteAcceptedBuy(builder, order)\n', ''),

  ending('three rejects stop the stock', 'if (rejects < MAX_REJECTS) return', 'if (rejects < 99) return'),
  ending(
    'only for what lies in the order',
    "if (end === 'rejected' && cause === 'order' && order.origin",
    "if (end === 'rejected' && order.origin",
  ),
  ending('and not for a person’s own', " && order.origin === 'auto')\n", ')\n'),
  ending('refused orders pause the stock', "if (end === 'rejected') waitAfter(builder, order, cause, note)\n", ''),
  ending('refused buys leave the sells', "side === 'buy' && !stoppedWhole", 'stoppedWhole && !stoppedWhole'),
  ending('refused sells leave nothing', "side === 'buy' && !stoppedWhole", '!stoppedWhole'),
  ending('refusals settle no doubt', "blocked?.code === 'ambiguous' || ", ''),
  ending('refusals bring no shares back', " || (buysOnly && blocked?.code === 'mismatch')", ''),
  ending('a stop of both sides stays one', "side === 'buy' && !stoppedWhole", "side === 'buy'"),
  ending('what did not leave, too', "if (end === 'notPlaced') waitAfter(builder, order, 'notPlaced')\n", ''),
  ending(
    'the reference follows a buy',
    "if (order.side === 'buy' && order.filledCount > 0) moveReferenceAfterBuy(builder, order)",
    '',
  ),
  reference(
    'a late fill does not lift the reference',
    "(late || order.origin === 'person')",
    "order.origin === 'person'",
  ),
  ending('one number, one order', 'order.odno === odno && order.day === day', 'order.id < 0'),

  evolve('a wish is no news of the order', "fact.kind === 'cancelWanted' ? order.updatedAt : ", ''),
  evolve('other causes do not count', "(cause !== 'order' || order.origin", '(order.origin'),
  evolve('people’s orders do not count', " || order.origin === 'person' || isCounted", ' || isCounted'),
  evolve('one event counts once', ' || isCounted(book, order))', ')'),
  evolve('nor does a person’s count for another', " && one.origin === 'auto'\n", '\n'),
  evolve('what others were refused for says nothing of it', " && (one.refusedFor ?? 'order') === 'order'\n", '\n'),
  asLoaded(
    'the tables forget what for',
    'return refusedFor === undefined ? order : rest',
    'return refusedFor === undefined ? rest : order',
  ),
  evolve('later orders count anew', ' && one.updatedAt >= createdAt', ''),
  evolve('a lifted stop has one try', '(fact.rejects ?? 0)', '0'),
  evolve(
    'a fill ends the row of rejects',
    "return fact.kind === 'orderFilled' ? countRejects(after, next) : after",
    'return after',
  ),
  evolve('unsent orders are no rejects', " || order.status === 'notPlaced'", ''),
  asLoaded('ended orders of a live day stay', 'if (isLive(order.status) && order.day < from) from = order.day', ''),
  evolve('a finished buy may be sold', 'lot.buyOrderId === order.id ? { ...lot, buyOrderId: null } : lot', 'lot'),
  evolve(
    'new settings free lots',
    'version: stock.version + 1, lots: releaseLots(stock.lots)',
    'version: stock.version + 1',
  ),
  evolve(
    'the reference counts as a change',
    'lastBuyPrice: fact.price }, version: stock.version + 1',
    'lastBuyPrice: fact.price }, version: stock.version',
  ),
]
