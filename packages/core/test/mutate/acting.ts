import { inFile, type Guard } from './guard.ts'

const replies = inFile('account/replies')
const schedule = inFile('account/schedule')
const buying = inFile('account/buying')
const power = inFile('account/buying-power')
const delays = inFile('account/delayed-orders')
const marketBuy = inFile('account/market-buy')
const ordering = inFile('account/ordering')
const selling = inFile('account/selling')
const pendingSales = inFile('account/pending-sales')
const saleOrders = inFile('account/sale-orders')
const stockList = inFile('account/stock-list')
const cancels = inFile('account/cancel-commands')
const restart = inFile('account/restart')
const snapshot = inFile('account/take-snapshot')
const apply = inFile('account/apply-order')
const sales = inFile('account/sale-commands')
const balance = inFile('account/check-balance')
const step = inFile('account/step')
const builder = inFile('account/step-builder')
const rearm = inFile('account/rearm')
const ledger = inFile('account/ledger')

/** What is done, asked and waited for. */
export const ACTING: readonly Guard[] = [
  replies('a number already taken', 'if (owner !== undefined) {', 'if (owner?.id === -1) {'),
  replies('a listed order is not refused', 'if (order.odno !== null) {', 'if (order.id < 0) {'),
  replies('a dead order is not refused', '  if (!isLive(order.status)) return\n', ''),
  replies('cancels wait after a failure', 'now + CANCEL_AGAIN_MS', 'now'),
  replies('an acceptance is news about cash', '  noteAcceptedBuy(builder, order)\n', ''),

  schedule('no reading without the key', '!view.connection.authorised || ', ''),
  schedule('readings wait after failures', ' || ctx.now < view.readSchedule.notBefore', ''),
  schedule(
    'one reading at a time',
    'if (view.readSchedule.running && ',
    'if (view.readSchedule.running && ctx.now < 0 && ',
  ),
  schedule('a lost reading is asked again', ' && ctx.now - view.readSchedule.startedAt < READ_TIMEOUT_MS', ''),
  schedule('slower after each failure', 'RETRY_READ_MS * 2 ** failures', 'RETRY_READ_MS'),
  schedule('from the day of the oldest order', 'if (isLive(order.status) && order.day < from) from = order.day', ''),

  buying('no question before the comparison', ' && builder.view.connection.armed', ''),
  power('old answers about cash', ' || ctx.now - known.at > ANSWER_MS', ''),
  power('answers from another time', 'if (!isAgeKnown(builder, askedAt)) {', 'if (askedAt < 0) {'),
  power('answers from before a buy', ' && (acceptedAt.get(order.id) ?? 0) <= askedAt', ''),
  power('buys on their way take cash', "order.status === 'intended' || ", ''),
  power('unknown buys take cash', " || order.status === 'unknown'", ''),
  power('what filled since took cash', ' : order.filledAmount', ' : 0'),
  power('the fee takes cash', '(1 + FEE_PERCENT / 100)', '1'),
  power('one question at a time', 'ctx.now - view.cash.askedAt < QUESTION_TIMEOUT_MS', 'ctx.now < 0'),
  power('a lost question is asked again', ' && ctx.now - view.cash.askedAt < QUESTION_TIMEOUT_MS', ''),
  power('a young answer is not asked again', 'ctx.now - view.cash.answer.at < REFRESH_MS', 'ctx.now < 0'),
  power('no question without the key', '!view.connection.authorised || ', ''),
  buying('the gate is asked', "if (!gateResult.ok) return { kind: 'hold', reasons: [gateResult.reason] }", ''),
  buying(
    'no buy before cash is known',
    "if (cash === null) return { kind: 'ask', reasons: [askingCash(account.view.cash.failure)] }",
    '',
  ),
  buying('thirty seconds of patience', ' || builder.ctx.now - order.createdAt >= BUY_TIMEOUT_MS', ''),
  buying(
    'unwanted buys are recalled',
    'const unwanted = next === null || frozen || barred || (order.filledCount === 0 && order.price > next)',
    'const unwanted = next === null && false',
  ),
  buying('a buy of what was designated since is recalled', ' || barred || ', ' || '),
  buying("people's buys are left alone", "order.origin !== 'auto' || ", ''),
  power('failed questions wait', 'builder.ctx.now + FAILED_MS', '0'),
  buying('an order held up is due', 'isHeldUp(judgement)', 'false'),
  buying('without cash it is asked on', ' || needsCash(judgement.reasons)', ''),
  delays('what went out is due no more', 'else dueSince.delete(what)', ''),
  delays(
    'the one that has waited longest is shown',
    '(buy ?? Infinity) <= (sell ?? Infinity)',
    '(buy ?? Infinity) > (sell ?? Infinity)',
  ),

  marketBuy(
    'not above maxBuyPrice',
    'if (maxBuyPrice && quote.price > maxBuyPrice) {',
    'if (maxBuyPrice && quote.price < 0) {',
  ),
  marketBuy(
    'nor far from what its person saw',
    'if (changed !== null) return refused',
    'if (changed === "") return refused',
  ),
  marketBuy('cash', 'if (count > buyable) {', 'if (count < 0) {'),
  marketBuy('cash asked by another clock', 'if (!isAgeKnown(builder, askedAt)) return', 'if (askedAt < 0) return'),
  marketBuy(
    'a ceiling for the market order',
    'if (maxBuyPrice && maxBuyPrice < upper) return',
    'if (maxBuyPrice && upper < 0) return',
  ),

  ordering('the gate', 'if (!gateResult.ok) return gateResult', 'if (!gateResult.ok) void gateResult'),
  ordering('only calls that were forgotten', ' || builder.ctx.now - updatedAt < SEND_TIMEOUT_MS', ''),
  ordering('only open orders are cancelled', "order.status !== 'open' || ", ''),
  ordering('no cancel without the key', ' || !builder.view.connection.authorised', ''),
  ordering(
    'failed cancels wait',
    '  if (builder.ctx.now < (builder.view.orders.cancelAfter.get(orderId) ?? 0)) return false\n',
    '',
  ),
  ordering('an order is to go once', '?.cancelWanted === false)', '?.cancelWanted !== undefined)'),
  ordering('orders that are to go are cancelled', 'if (cancelWanted) askCancel(builder, id)', 'void cancelWanted'),

  selling('growing lots wait', "  if (lot.buyOrderId !== null) return 'buying'\n", ''),
  selling('held-back lots wait', "return lot.heldBack ? 'heldBack' : null", 'return null'),
  selling('lots of pending sales wait', 'pending.lotIds.includes(lot.id)', 'pending.lotIds.length < 0'),
  selling(
    "people's orders are left alone",
    "  if (orderOfLot(live, lot.id)?.origin === 'person') return 'byHand'\n",
    '',
  ),
  selling("why not is not 'nothing held'", "code !== 'nothingHeld' || alone.length === 0", "code !== ''"),
  selling('lots that rest do not rest again', 'orderOfLot(resting, lotId) === undefined', 'true'),
  selling(
    'the price must be right',
    'if (order.price !== wanted.price && !(begun && order.price < wanted.price)) return false\n',
    '',
  ),
  selling('the count must be right', '  if (order.count - order.filledCount !== wanted.count) return false\n', ''),
  selling('the modes never mix', 'if (wrong.length > 0 && modesMix(wrong, stock)) return', ''),
  selling(
    'new settings insist',
    'if (isEdited) for (const order of wrong) wantCancel(builder, order.id)',
    'void wantCancel',
  ),
  selling('a sale begun goes on', '!isEdited && order.filledCount > 0', 'false'),

  pendingSales('older orders go first', 'if (inTheWay.size === 0) return', 'if (inTheWay.size >= 0) return'),
  pendingSales('not for ever', 'builder.ctx.now >= pending.until', 'builder.ctx.now < 0'),
  pendingSales(
    'time of its own to place',
    'const until = builder.ctx.now + PENDING_SALE_MS',
    'const { until } = pending',
  ),
  pendingSales('what waits for room is not refused', '!PASSED_WITH_TIME.has(name) && ', ''),
  pendingSales('no cut without room', '  if (!room.ok) return waitForRoom(builder, pending, room.reason)\n', ''),
  pendingSales(
    'no ok while orders are left',
    'if (first === undefined) return { ok',
    'if (orderIds.length > 0) return { ok',
  ),
  pendingSales('what is placed is not placed again', 'unplaced: left, orderIds }', 'unplaced, orderIds }'),
  pendingSales('what failed ends the rest', 'if (turnedBack !== null) return', 'if (turnedBack === GONE.text) return'),
  pendingSales(
    'a cancel ends the rest',
    'if (orderIds.some((id) => book.orders.get(id)?.cancelWanted))',
    'if (orderIds.length < 0)',
  ),
  pendingSales(
    'looked ahead before anything is cancelled',
    'if (refusal !== null) return refusal\n  builder.patchView',
    'builder.patchView',
  ),
  saleOrders('lots are split at borders', 'if (lot.count <= open) {', 'if (lot.count > 0) {'),

  stockList('old copies', 'version !== null && version !== stock.version', 'false'),
  stockList(
    'bad settings',
    "if (problems.length > 0) return refused('INVALID'",
    "if (problems.length > 0 && code === '') return refused('INVALID'",
  ),
  stockList(
    'no delete with lots',
    'if (stock.lots.length > 0) return refused',
    'if (stock.lots.length < 0) return refused',
  ),
  stockList(
    'no delete with orders',
    'if (liveOrders(builder.book, stock.issue.code).length > 0) {',
    'if (stock.version < 0) {',
  ),
  stockList('nor in doubt', '  forgetSuspectedMismatch(builder, stock.issue.code)\n', ''),
  stockList('what was due is due no more', '  noteDue(builder, `buy ${stock.issue.code}`, false)\n', ''),
  balance(
    'no answer without holdings',
    'if (snapshot.balance === null) return refused',
    'if (snapshot.askedAt < 0) return refused',
  ),
  sales('what is being cancelled offers nothing', 'filter(isOffering)', 'filter((order) => order.id > 0)'),
  builder('a cancel on its way ends an offer', " && status !== 'cancelling'", ''),
  builder('a cancel to come ends an offer', ' && !cancelWanted', ''),
  sales('what is still being bought rests nowhere', 'if (bought.length === 0 && stock.lots.length > 0)', 'if (!stock)'),
  sales('rests when the broker has it', 'orderIds: orderIdsOf(builder, stock)', 'orderIds: []'),
  sales('asked twice', 'if (mine.some((lot) => hasPendingSale(builder, lot.id))) return alreadyAsked', ''),
  cancels('a cancel that was answered is durable', '    wantCancel(builder, order.id)\n    if', '    if'),
  cancels(
    'also where the rules asked for it first',
    '    wantCancel(builder, order.id)\n    return done',
    '    return done',
  ),
  cancels('what a person cancels is held back', '    holdBack(builder, order)\n', ''),
  ledger(
    'what somebody else cancels is held back',
    '    if (ended.byOther && now.day === builder.book.day) holdBack(builder, now)\n',
    '',
  ),
  restart('and stays so', '  holdBackAgain(builder)\n', ''),
  apply('held buys are releaseLots', 'if (!builder.view.stocks.heldBuys.has(code)) return', 'return'),
  apply(
    'a difference is not waved through',
    "if (stock.blocked === null || stock.blocked.code === 'mismatch') return done",
    'if (stock.blocked === null) return done',
  ),
  apply('compared before going on', '  disarm(builder)\n', ''),

  replies('nothing left after the close only', 'now < dayEnds(day, timetable).regular || ', ''),
  replies('nothing left to cancel', 'if (nothingLeft === true) noteNothingLeft(builder, order)', ''),
  step('a clock that was set', 'return forgetTimes(builder)', 'return undefined'),
  snapshot('a row that stays unreadable', 'seen !== undefined && !isLasting)', 'seen !== undefined)'),
  snapshot(
    'readings from the future',
    'if (snapshot.askedAt > now) return builder.patchView({ readSchedule: { running: false, dueAt: now } })',
    '',
  ),
  step('calls that never report', '  giveUpWaiting(builder)\n', ''),
  step(
    'a lost link disarms',
    '      // Notices are not replayed: whatever happened meanwhile is in the list only.\n      return disarm(builder)',
    '      return undefined',
  ),
  step(
    'a new key disarms',
    'notBefore: now },\n      })\n      return disarm(builder)',
    'notBefore: now },\n      })\n      return undefined',
  ),
  restart(
    'after a restart nothing is certain',
    "if (status === 'intended') return lateMs",
    "if (status === 'filled') return lateMs",
  ),
  restart(
    'nor before the time is known',
    'inheritedMs === null || builder.ctx.isTimeUnknown === true',
    'inheritedMs === null',
  ),
  restart(
    'and it is decided then',
    'builder.patchView({ connection: { inheritedMs: null } })\n  inherit(builder, inheritedMs)',
    'builder.patchView({ connection: { inheritedMs: null } })',
  ),
  restart('a time to come is a wrong one', 'isToCome(updatedAt, now))', 'isToCome(now, now))'),
  restart('so is that of a row', 'isToCome(createdAt, now))', 'isToCome(now, now))'),
  step('nothing is late before the time is known', '  if (builder.ctx.isTimeUnknown === true) return\n', ''),
  step(
    'due buys go out by the clock',
    'settleSells(builder, code)\n  considerBuys(builder)\n',
    'settleSells(builder, code)\n',
  ),
  buying(
    'an answer about cash serves every stock',
    'answer.askedAt)) considerBuys(builder)',
    'answer.askedAt)) void builder',
  ),
  restart('cancels survive a restart', "  askCancelsAgain(builder, '취소하던 중에 다시 시작했습니다.')\n", ''),

  rearm('a set clock disarms', "바뀌었습니다.')\n  disarm(builder)", "바뀌었습니다.')"),
  rearm('the lag begins again', "if (status === 'unknown')", "if (status === 'filled')"),
  rearm('times before count for nothing', '...nameless.map((order) => order.id)', ''),
  rearm('cancels survive a set clock', "  askCancelsAgain(builder, '취소하던 중에 시계가 바뀌었습니다.')\n", ''),
  rearm('old waits are forgotten', 'stocks } = emptyView', 'stocks } = builder.view'),
  rearm('buys taken back stay so', 'before.day === book.day ? view.stocks.heldBuys : new Set()', 'new Set()'),
  rearm('but not for ever', 'before.day === book.day ?', 'before.day <= book.day ?'),
  rearm('so does a confirmation', 'new Set([...operatorConfirmed].filter(isStillLive))', 'new Set()'),
  rearm('and a doubt about time', 'new Set([...clockUncertain].filter((id) => book.orders.has(id)))', 'new Set()'),
  rearm('no sale after its no', 'const account = newAccount(book)', 'const account = { view }'),

  cancels(
    'a stranger’s order is named as such',
    'if (order === undefined && isStranger(builder, asked))',
    'if (order === undefined && false)',
  ),
  schedule(
    'strangerFillsSince are compared at once',
    'if (view.stocks.strangerFillsSince.size > 0) return true',
    'if (now < 0) return true',
  ),
  schedule('comparisons keep apart', 'now - view.readSchedule.lastBalanceAt < MIN_COMPARE_INTERVAL_MS', 'now < 0'),
  cancels('a cancel that cannot be sent is refused', 'if (unsent === undefined) return done', 'return done'),

  builder('illegal moves stop the stock', 'if (mayMove(order.status, move)) return true', 'return true'),
  builder(
    'stricter blocks stay',
    "if (why === 'mismatch' && now !== null && now.code !== 'mismatch' && now.buysOnly !== true) return",
    '',
  ),
]
