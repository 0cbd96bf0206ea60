import { inFile, type Guard } from './guard.ts'

const holdBack = inFile('account/hold-back')
const newDay = inFile('account/new-day')
const refusals = inFile('account/refusals')
const venues = inFile('account/venues')
const route = inFile('krx/route')
const frozen = inFile('account/frozen')
const action = inFile('account/corporate-action')
const pendingSales = inFile('account/pending-sales')
const openMove = inFile('account/open-move')
const baseMove = inFile('account/base-move')
const adjustment = inFile('account/adjustment')
const selling = inFile('account/selling')
const buying = inFile('account/buying')
const reference = inFile('account/reference')
const marketBuy = inFile('account/market-buy')
const fill = inFile('account/book-fill')
const own = inFile('account/own-shares')
const compare = inFile('account/compare')
const gate = inFile('account/gate')
const ledger = inFile('account/ledger')
const sale = inFile('account/sale-commands')
const correct = inFile('account/correct-shares')
const expected = inFile('account/expected-shares')
const givingUp = inFile('account/give-up-expected')
const step = inFile('account/step')
const builder = inFile('account/step-builder')

/** What waits after a refusal, what is held back for a day, and what a new day lets go. */
export const HOLDING: readonly Guard[] = [
  expected('shares to come cost money, too', ' + (expected?.amount ?? 0)', ''),
  holdBack('our own orders only', "if (origin === 'person') return", "if (origin === 'nobody') return"),
  holdBack('buys of the stock', "if (side === 'buy') return holdBuysBack(builder, code)", "if (side === 'buy') return"),
  holdBack('also after a restart', 'if (isTakenBack) ', "if (status === 'open') "),
  holdBack('also what a person took back here', 'cancelWanted || !cancelAsked', '!cancelAsked'),
  holdBack('also while it is to be cancelled', 'cancelWanted && isLive(status)', 'false'),
  holdBack(
    'not what was let go since',
    'newest.set(order.code, order)',
    'newest.set(`${order.code} ${order.id}`, order)',
  ),
  holdBack('not what we cancelled', 'cancelWanted || !cancelAsked', 'true'),
  newDay('none in a time that nobody knows', 'if (builder.ctx.isTimeUnknown === true) return', ''),
  newDay('days go forward', 'if (today <= builder.book.day) return', 'if (today === builder.book.day) return'),
  newDay('a new day frees buys', 'stocks: { heldBuys: new Set(), ', 'stocks: { '),
  newDay('what was agreed on is of its day', ' agreedStrangers: new Map(),', ''),
  newDay('a new day may go to NXT again', ', notOnNxt: new Set() }', ' }'),
  newDay(
    'a stop for rejects has a try a day',
    'if (isTradingDay(today, builder.ctx.timetable)) liftStops(builder)',
    '',
  ),
  newDay('on trading days', 'if (isTradingDay(today, builder.ctx.timetable)) lift', 'lift'),
  newDay('other stops stay', "if (stock.blocked?.code === 'rejects')", 'if (stock.blocked !== null)'),
  refusals('orders that left together are one answer', 'order.createdAt <= before.at', 'order.id < 0'),
  refusals('waits grow', 'first * 2 ** (tries - 1)', 'first'),
  refusals('but not for ever', 'Math.min(first * 2 ** (tries - 1), longest)', 'first * 2 ** (tries - 1)'),
  refusals('the after-market is over for today', "session !== 'after' || ", "session !== 'never' || "),
  refusals('a venue that refused', "if (cause === 'venue' && order.venue !== 'KRX')", 'if (order.id < 0)'),
  refusals('until the wait is over', 'now < one.until', 'now < 0'),
  refusals('money and shares hold one side', "cause === 'money' || cause === 'shares' ?", "cause === 'call' ?"),
  refusals('and that side waits', 'stocks.waits.get(`${side} ${code}`)', 'stocks.waits.get(code)'),
  refusals('cash is asked anew', "if (side === 'buy') return builder.patchView({ cash: { answer: null } })", ''),
  refusals('holdings are compared anew', 'readSchedule: { lastComparedAt: 0 }', 'readSchedule: {}'),
  builder('a stop of the buys alone is not stricter', ' && now.buysOnly !== true) return', ') return'),
  venues('is not asked again today', 'stocks.notOnNxt.has(issue.code) ? ', "issue.code === '' ? "),

  route('prices of NXT by day', "return use.sor ? 'UN' : 'KRX'", "return 'KRX'"),
  route(
    'prices of NXT before and after',
    "(now < opens ? use.preMarket : use.afterMarket) ? 'NXT'",
    "(now < opens ? use.preMarket : use.afterMarket) ? 'KRX'",
  ),
  route('of what NXT trades', "if (!issue.nxt || env === 'paper' ||", "if (env === 'paper' ||"),
  venues('whose prices count, neither', 'pricedBy(ofToday(account, stock.issue)', 'pricedBy(stock.issue'),

  action('the base is looked at', "else builder.record({ kind: 'stockFrozen'", "else void ({ kind: 'stockFrozen'"),
  openMove('it may turn out to be the close', 'fresh === null ? last?.day !== day : ', 'fresh === null || '),
  openMove(
    'what was said of an earlier day stays',
    'last !== undefined && last.day > day',
    'last !== undefined && last.day < day',
  ),
  openMove('once', ': isSaid(last, fresh)) return undefined', ': last === fresh) return undefined'),
  openMove('the last base of a day counts', '  isSameBase(last.base, base) &&\n', ''),
  openMove('what is settled is settled', 'if (isSameBase(base, settled.base)) return null\n', ''),
  openMove('at the base that was seen', 'if (settledOn > day || (', 'if (settledOn >= day || ('),
  openMove('what was before the stock', ' || (settledOn === day && settled === null)', ''),
  openMove('from the base it was adjusted to', 'settled.adjusted ? {', 'settled.base < 0 ? {'),
  openMove('only where there are prices', 'last === undefined && !hasPrices(stock)', 'last?.day === day'),
  openMove(
    'days without a server tell nothing anew',
    '  if (isSince(fresh) && withoutKnown(fresh, open) === null) return undefined\n',
    '',
  ),
  openMove('but the whole of them', ' && !(isSince(fresh) && move.day > fresh.since)', ''),
  openMove('nor what is settled', 'const left = withoutKnown(moved, knownOf(settledOn, settled))', 'return moved'),
  openMove('but what was left as it is', 'settled?.adjusted === false && settledOn === day', 'settledOn < day'),
  openMove('settled before it', 'const moves = [...before, ...open]', 'const moves = [...open]'),
  openMove('each day by itself', '(moved?.parts ?? [moved])', '[moved]'),
  baseMove('what a chart holds of today', '(bars.last * bars.close) / bars.now', 'bars.last'),
  baseMove('moves of other days', 'day > move.since && day <= move.day', 'day <= move.day'),
  baseMove('later ones', 'day > move.since && day <= move.day', 'day > move.since'),
  openMove('or kept shares', '  kept > 0 ||\n', ''),
  baseMove('two moves are one', '(before.close / before.base) * close', 'close'),
  openMove(
    'one that was none leaves the other',
    'open.filter((move) => move.day < day &&',
    'open.filter((move) => move.day > day &&',
  ),
  action(
    'of the base and the settings that were seen',
    '(seen.base ?? stock.frozen.base) !== stock.frozen.base || (seen.version ?? stock.version) !== stock.version',
    'seen.base === -1',
  ),
  action(
    'what the person saw',
    'if (stock.frozen?.day !== seen.day) return NOT_FROZEN\n',
    'if (stock.frozen === null) return NOT_FROZEN\n',
  ),
  action(
    'not while orders are out',
    'if (liveOrders(builder.book, code).length === 0) return null',
    'if (stock) return null',
  ),
  frozen('from the price that shows it', 'stock.frozen ?? (moved == null', 'stock.frozen ?? (moved !== 0'),
  frozen('not again when settled', 'unsettled(stock, moved, moved.day)', 'moved'),
  frozen('no sale at the target of another share', "if (how === 'target')", 'if (how !== how)'),
  frozen('nor of another number of shares', 'return differs\n', 'return differs === null\n'),
  pendingSales('nor while one waits', ' ?? whyFrozen(builder, stock, pending.how)', ''),
  action('a balance that lags a fill', 'if (isUnsettled(builder, code, askedAt))', 'if (askedAt < 0)'),
  action(
    'not while a sale waits',
    'view.orders.pendingSales.some((pending) => pending.code === code)',
    'view.orders.pendingSales.length < 0',
  ),
  selling(
    'nothing rests in a frozen stock',
    'if (frozen !== null) return { missing: [], wrong: resting',
    "if (frozen === '') return { missing: [], wrong: resting",
  ),
  buying('no buy rests in one', 'next === null || frozen || ', 'next === null || '),
  adjustment(
    'shares that are there',
    'if (isNewCount(move, booked + kept, heldOfOld)) {',
    'if (held < 0 && isNewCount(move, booked + kept, heldOfOld)) {',
  ),
  adjustment('only in the ratio of the move', 'held !== before && held > 0 && ', 'held !== before || '),
  adjustment('the cost of those to come is kept', 'more.count > 0 || more.ofPerson > 0', 'more.count < 0'),
  adjustment('the person’s shares split too', 'kept: heldOfOld - ours', 'kept'),
  adjustment(
    'by a rounding none of them is the book’s',
    'Math.min(Math.max(sharesAfter(booked, move), Math.floor(part)), Math.ceil(part))',
    'Math.min(held, sharesAfter(booked, move))',
  ),
  expected('nor where fewer come', 'Math.floor((count * expected.count) / toCome)', 'Math.min(count, expected.count)'),
  adjustment('they come later too', 'sharesAfter(booked + kept, move) - booked - kept - count', '0'),
  action('by the numbers that were seen', 'if (held !== seen)', 'if (held < 0)'),
  own('sells that may be of kept shares are taken back', 'if (count > stock.kept)', 'if (count < 0)'),
  adjustment('a ceiling never rises', 'Math.max(1, floorToTick(', 'Math.max(1, ceilToTick('),
  correct('not while the stock is frozen', 'if (stock.frozen !== null)', "if (stock.issue.code === '')"),
  correct(
    'expected shares cost what was kept',
    'Math.min(Math.max(0, gap - bought), sharesToCome(stock.expected))',
    '0',
  ),
  correct('what somebody bought is not expected', 'Math.max(0, gap - bought)', 'gap'),
  correct(
    'what a correction brings waits',
    'receiveExpected(builder, stock, expected, true)',
    'receiveExpected(builder, stock, expected, false)',
  ),
  compare('what is blocked already is not expected', "  blocked?.code !== 'mismatch' &&\n", ''),
  correct(
    'whose shares are gone is asked stock by stock',
    'if (stock.kept > 0 && !alone)',
    'if (stock.kept < 0 && !alone)',
  ),
  correct(
    'shares that become the person’s have no price',
    'stock.kept === 0 || isExplained(builder.view, code, gap)',
    'true',
  ),
  reference('the ladder knows its own lots', 'lots.filter(({ takenOver }) => !takenOver)', 'lots'),
  reference(
    'nor does what its person bought, once the ladder has sold its own',
    '!takenOver && byPerson !== true',
    '!takenOver',
  ),
  reference(
    'nor the sale of it',
    'if (!sold.some((lot) => isStep(lot) || hasLowered(lot, reference))) return',
    'if (sold.length === 0) return',
  ),
  reference('what lowered it was below it', '=> !takenOver && buyPrice <= reference', '=> !takenOver'),
  reference('no sale of its own, no price of a sale', 'steps.length > 0 || sold.some(isStep)', 'true'),
  reference('a buy below it lowers it', '=> Math.min(least ?? buyPrice, buyPrice), stands)', '=> least, stands)'),
  reference(
    'the buy that begins a ladder is its first step',
    ' && builder.stock(code)?.settings.lastBuyPrice !== null',
    '',
  ),
  fill('a lot knows who bought it', ' && { byPerson: true })', ' && {})'),
  fill(
    'as long as it grows',
    'held === undefined ? isBesideLadder(builder, order) : held.byPerson === true',
    'isBesideLadder(builder, order) && held === undefined',
  ),
  fill('after its end, too', 'held === undefined ? isBesideLadder', '(held === undefined || late) ? isBesideLadder'),
  correct('what a correction brought is no step of the ladder', ', byPerson: true })', ' })'),
  gate('what a phone offers is not offered', ' ?? refuseLocked(account, input)', ''),
  ledger('a cancel holds for its day', 'ended.byOther && now.day === builder.book.day', 'ended.byOther'),
  sale('all at target leaves out what was taken over', '!taken.has(id) && orderOfLot(', 'orderOfLot('),
  sale(
    'and says so when there is nothing else',
    'if (taken.size > 0 && taken.size === stock.lots.length) return onlyTakenOver\n',
    '',
  ),
  correct('the price of now where the broker shows none', 'averagePrice > 0 ? averagePrice : ', ''),
  adjustment(
    'what was bought that day is of the new share',
    'lot.boughtAt >= kstMidnight(move.day)',
    'lot.boughtAt < 0',
  ),
  adjustment('and so is the reference it set', 'lastBuyPrice === null || isReferenceNew', 'lastBuyPrice === null'),

  adjustment('prices given since are of the new share', 'settings[name] === before[name]', 'settings[name] !== 0'),
  adjustment('and a reference', '(before.lastBuyPrice !== lastBuyPrice && ', '(before.lastBuyPrice === null && '),
  adjustment('but not one of a lot of before', ' && !isSetBy(old)', ''),
  adjustment('expected shares split too', 'expected: splitToo(expected, move)', 'expected'),
  adjustment(
    'a distribution brings no shares',
    "issue.kind === 'etf' && ",
    "issue.kind === 'stock' && move.close < 0 && ",
  ),
  adjustment('one fraction, not one of each lot', 'Math.max(1, (held * 2) / 100)', 'Math.max(20, (held * 2) / 100)'),

  own('compared anew', '  disarm(builder)\n', ''),
  own('also those that cannot be cancelled yet', 'wantCancel(builder, id)', ''),
  compare(
    'a stock left out is not compared',
    'stocks.uncompared.has(issue.code) || (!connection.armed && kept > 0)',
    'false',
  ),
  compare(
    'fewer than the person keeps: sells are taken back',
    'if (stock.kept > 0 && seen.broker < seen.book) takeSellsBack(builder, code)',
    '',
  ),
  gate(
    'nothing automatic before a stock with kept shares was compared',
    "if (origin === 'auto' && account.view.stocks.uncompared.has(",
    "if (origin === 'person' && account.view.stocks.uncompared.has(",
  ),
  own('a number of shares', 'Number.isInteger(count) && count >= 0', 'count >= 0'),
  own('lots that are there', 'if (lots.length !== lotIds.length)', 'if (lots.length > lotIds.length)'),
  compare('kept shares are not in the book', ' - kept\n', '\n'),
  correct('nor are they taken over', '- stock.kept - book', '- book'),
  correct('the book does not make up for them', 'if (-gap > book)', 'if (-gap > Infinity)'),
  correct('what is taken over waits', '{ takenOver: true,', '{ takenOver: false,'),
  selling('until the person agrees', "  if (lot.takenOver) return 'takenOver'\n", ''),

  reference('a buy by hand lifts no ladder', " || order.origin === 'person') && reference", ') && reference'),
  marketBuy('an auction makes a price old', ' || routeOf(builder, builder.ctx, issue)?.continuous === false', ''),
  marketBuy(
    'an old price is a limit',
    '  if (isOld(builder, stock, quote)) return limitAt',
    '  if (quote.price < 0) return limitAt',
  ),

  fill(
    'the costs of an order are cut once',
    "costsBetween(stock, 'sell', soldBefore, soldBefore + (sellAmount ?? 0), day)",
    "costsBetween(stock, 'sell', 0, sellAmount ?? 0, day)",
  ),
  fill('and of a purchase, too', 'boughtBefore, boughtBefore + buyAmount, kst', '0, buyAmount, kst'),

  givingUp('not in a frozen stock', 'if (stock.frozen !== null)', "if (stock.name === '')"),
  givingUp('what the person saw', '!isSame(stock.expected, seen) || ', ''),
  givingUp('the person’s own among it', ' && (a.ofPerson ?? 0) === (b.ofPerson ?? 0)', ''),
  givingUp('and where it goes', 'const arePayersSeen = payers.length === lots && ', 'const arePayersSeen = '),
  givingUp('and to what cost', ' && remainAmount(payers) === cost', ''),
  givingUp('not while a sale waits', 'if (waits !== null) return waits\n', ''),
  givingUp('by a balance that is read', "if (typeof held !== 'number') return held\n", ''),
  givingUp('not what has come', 'held - stock.kept !== remainCount(stock.lots)', 'held < 0'),
  givingUp('not to what was bought since', 'boughtAt < kstMidnight(settledOn)', 'boughtAt > 0'),
  givingUp(
    'no won is lost with the last lot',
    'if (payers.length === 0) recordLoss(',
    'if (payers.length < 0) recordLoss(',
  ),
  givingUp('it is a loss', '{ sellAmount: 0, ', '{ sellAmount: null, '),
  givingUp('that is one', 'if (amount === 0) return\n', ''),
  givingUp('to the won', 'left -= more\n', ''),
  givingUp('by what each costs', 'byCost ? lot.buyAmount : lot.count', 'lot.count'),
  step('no sale goes on at the old target', 'isEdit || givenUp.has(code)', 'isEdit'),
]
