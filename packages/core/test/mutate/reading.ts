import { inEngine, inFile, inKis, inPrices, type Guard } from './guard.ts'

const base = inFile('account/base-move')
const route = inFile('krx/route')
const session = inFile('krx/session')
const unlisted = inFile('account/unlisted')
const snapshot = inFile('account/take-snapshot')
const schedule = inFile('account/schedule')
const step = inFile('account/step')
const stockList = inFile('account/stock-list')
const runner = inEngine('account/effect-runner')
const prices = inPrices('prices')
const feed = inPrices('price-feed')
const judge = inPrices('base-move')
const issues = inPrices('issue-feed')
const timetable = inPrices('timetable')
const unreadable = inEngine('account/unreadable-rows')
const days = inFile('account/listed-days')
const executions = inKis('rest/executions')
const rows = inKis('rest/execution-rows')
const pages = inKis('transport/pages')
const refusals = inKis('wire/refusals')

/** What is read of the market and of the broker's lists: hours, venues, bases, limits, rows, and why an order was refused. */
export const READING: readonly Guard[] = [
  base('a tick is no move', "<= tickSize(Math.max(a, b), 'stock')", '<= 0'),
  base('only against the day before', ' || closing.day !== dayBefore) return undefined', ') return undefined'),
  base('the base of the day before', 'base === closing.base && ', ''),
  base(
    'an evening is no move',
    'Math.abs(base - chart.close) * 100 > chart.close * EVENING_PERCENT',
    'base !== chart.close',
  ),
  base('new shares that are paid for', ' || announced.paid > 0', ''),
  base('an announcement that the base agrees with', 'isSameBase(move.close / announced.ratio, move.base)', 'true'),

  route('not right at the opening', 'return before.orderable ? phase : before', 'return phase'),
  route('the pre-market was chosen', "nxt?.name === 'preMarket' && use.preMarket", "nxt?.name === 'preMarket'"),
  route('not before the auction collects', ' && now < ends.opens - COLLECTS_MS + OPENING_MARGIN_MS', ' && now < 0'),
  route('SOR was chosen', 'nxt === null || !use.sor', 'nxt === null'),
  route('no SOR while only one collects', "return nxt.name === 'preMarket' ? null : to", 'return to'),
  route('the evening was chosen', 'use.afterMarket ? eveningRoute', 'use ? eveningRoute'),
  route('no ETF in the after-market', "issue.kind === 'stock' && issue.market", 'issue.market'),
  route('nor a KONEX issue', " && issue.market !== 'KONEX'", ''),
  route('an order of the pre-market ends with it', "if (session === 'pre') return", "if (session === 'after') return"),
  route('the closing auction may run over', 'ends.regular + CLOSING_OVERRUN_MS', 'ends.regular'),
  session('days with hours of their own', 'special.get(day) ?? NORMAL_HOURS', 'special.get(day) && NORMAL_HOURS'),
  session('closed days', ' && !timetable.closed.has(day)', ''),
  session('days without a pre-market', 'preMarketAt === null\n    ? []', 'preMarketAt === -1\n    ? []'),

  unlisted('missing past the lag only', 'askedAt < order.createdAt + LISTED_WITHIN_MS', 'askedAt < 0'),
  unlisted('missing twice', 'askedAt - first >= MIN_ABSENCE_INTERVAL_MS', 'first > 0'),
  snapshot('what a list showed before it changed is booked', 'applySeen(builder, seen)', 'void seen'),
  snapshot('unless it was asked by another clock', ' && seen.askedAt <= builder.ctx.now', ''),
  schedule('a list that changes is asked again soon', 'isPart ? RETRY_READ_MS : ', ''),
  step(
    'a notice that an order was turned down',
    'refused === true ? new Set(refusedByNotice).add(odno) : refusedByNotice',
    'refusedByNotice',
  ),
  step('an issue that became another', "builder.record({ kind: 'issueChanged', code, name, issue })", 'void issue'),
  stockList(
    'prices given after the open are of today',
    'settledOn: isOpen ? builder.book.day : tradingDayBefore',
    'settledOn: tradingDayBefore',
  ),
  runner('why it was refused', '{ kind, orderId, text, cause: refusalCause(error) }', '{ kind, orderId, text }'),
  runner('that nothing is left', 'nothingLeft: isNothingLeft(error)', 'nothingLeft: false'),

  prices('limits of another day than the trades', 'if (this.contradicts(code, base)) return false\n', ''),
  prices('a new day forgets how the base lay', '      entry.moved = undefined\n', ''),
  prices('limits before a trade of another base', '      this.#rebased.add(code)\n', ''),
  feed(
    'limits of the day before',
    "if (part === 'morning' && isOfDayBefore(base, closing, before)) return false\n",
    '',
  ),
  feed(
    'also by the chart',
    "if (part === 'morning' && bar !== null && !isSameBase(base, bar.close)) return false\n",
    '',
  ),
  feed('also where it stood still by then', 'last : await this.#barOf(code, then.day)', 'last : null'),
  feed('since the day it stood still', 'bar.day < before ? {', 'bar.day > before ? {'),
  feed('no limits at all', 'if (Math.min(lower, upper, base) <= 0) return false\n', ''),
  feed('the close is kept', "if (now.part === 'closed' && base > 0)", "if (now.part === 'night' && base > 0)"),
  feed('a refusal has them read again', '    this.#readIn.delete(code)\n', ''),
  judge('the close that was kept goes first', 'seen === undefined && chart !== undefined', 'chart !== undefined'),
  issues('once a day', 'this.#reportedOn.get(code) !== day && ', ''),
  issues('of today', 'if (known?.day !== day) return false', 'if (known === undefined) return false'),
  timetable(
    'the broker opens a day',
    'if (open) closed.delete(day)\n      else closed.add(day)',
    'if (!open) closed.add(day)',
  ),
  timetable('the operator goes last', '      closed.delete(day)\n      special.delete(day)\n', ''),
  timetable('a failed question is asked again', '    this.#askedAt.set(rest, now)\n', '    this.#readOn = today\n'),

  unreadable('changes are no orders', 'if (row.originalOdno !== null) return false\n', ''),
  unreadable('of another day', '(row.day ?? order.day) === order.day && ', ''),
  unreadable(
    'one without a number may be any',
    'return isLive(order.status) && isOfItsStock\n  // Of',
    'return false\n  // Of',
  ),
  unreadable('what is filled has no news', 'if (order.filledCount >= order.count) return false\n', ''),
  unreadable('its own number', ': row.odno === order.odno', ': false'),
  unreadable(
    'a stock that cannot be read',
    'code === null || book.stocks.has(code)',
    'code !== null && book.stocks.has(code)',
  ),
  days('days of own orders', 'hasOrders(book, day) || (day === today', '(day === today'),

  executions(
    'one by one where they are refused',
    'if (!(error instanceof DaysRefusedError)) throw error\n    const',
    'if (error !== null) throw error\n    const',
  ),
  executions('only then', 'if (!(error instanceof DaysRefusedError)) throw error\n    const', 'const'),
  executions('not for years', 'if (days.length > MAX_SINGLE_DAYS) throw error\n', ''),
  executions('an open day has a list', ' || isOpenDay(part.from)) throw error', ') throw error'),
  executions('first and last day', 'day === from || day === to || isOpenDay(day)', 'isOpenDay(day)'),
  executions('as old as its first part', 'if (index === 0) leftAt = read.leftAt', 'leftAt = read.leftAt'),
  rows('each order once', 'rows: eachOrderOnce(kis, rows)', 'rows'),
  rows('two orders with one number stay two', '  one.code === other.code &&\n  one.side === other.side &&\n', ''),
  rows('the state with more fills', 'earlier.filledCount > later.filledCount ? earlier : later', 'earlier'),
  rows('the smaller remainder', 'earlier.remainingCount < later.remainingCount ? earlier : later', 'earlier'),
  rows(
    'what cannot be read is named',
    'else unreadable.push(unreadableRow(kis, raw, read.what))',
    'else unreadableRow(kis, raw, read.what)',
  ),
  pages(
    'a list that changed is walked again',
    'if (!(error instanceof ListChangedError) || walk >= (paging.walks ?? MAX_WALKS)) throw',
    'if (error !== null) throw',
  ),
  pages('but not for ever', ' || walk >= (paging.walks ?? MAX_WALKS)', ''),
  pages(
    'a full page that comes twice',
    'if (isCopy && (paging.fullPage === null || found.length >= paging.fullPage))',
    'if (isCopy && found.length < 0)',
  ),
  pages('a cursor in circles', 'if (cursors.has(key)) throw', 'if (cursors.size < 0) throw'),
  pages(
    'a full page needs a word about more',
    'if (fullPage !== null && found >= fullPage) {',
    'if (fullPage !== null && found < 0) {',
  ),
  refusals('the day goes first', "  ['day', /영업일|휴장일|휴장입니다|거래일이 아|운영일자/],\n", ''),
  refusals(
    'a venue that stopped is no halt',
    "  ['venue', /(NXT|넥스트레이드|대체거래소)\\s?(매매\\s?)?(거래\\s?)?정지/i],\n",
    '',
  ),
  refusals('price limits', "  ['priceLimit', /상\\s?\\/?\\s?하한가|상한가|하한가|가격\\s?제한폭/],\n", ''),
  refusals('the gateway saw no order', "if (code !== null && GATEWAY_CODE.test(code)) return 'call'\n", ''),
  refusals('codes where the words say nothing', "BY_CODE.get(code ?? '') ?? ", ''),
]
