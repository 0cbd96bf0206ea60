import { inFile, type Guard } from './guard.ts'

const change = inFile('account/limits/change')
const firstDays = inFile('account/limits/first-days')
const counted = inFile('account/limits/first-days-count')
const states = inFile('account/limits/evolve')
const use = inFile('account/limits/use')
const refuse = inFile('account/limits/refuse')
const watch = inFile('account/limits/watch')
const evolve = inFile('account/evolve')
const buying = inFile('account/buying')
const pendingSales = inFile('account/pending-sales')
const step = inFile('account/step')
const commands = inFile('account/commands')

/** Limits over the whole account: what they count, whom they bind, and when they stop the buying. */
export const LIMITING: readonly Guard[] = [
  firstDays('one share in the first days', 'firstDays?.on === true ? { maxShares: MAX_SHARES } : {}', '{}'),
  firstDays(
    'an end of the first days waits',
    'isWhole ? null : { ...wanted, from',
    'isWhole || true ? null : { ...wanted, from',
  ),
  firstDays('the next day is waited for', 'from: addDays(day, 1) }', 'from: day }'),
  firstDays('they begin with the first buy', "fact.order.side === 'buy' && state.on", 'state.on'),
  counted('only who is new begins with them', '&& book.nextOrderId === 1', ''),
  counted('only days of trading count', ' || !isTradingDay(before, builder.ctx.timetable)', ''),
  counted('they end', 'usedDays >= firstDays.days', 'usedDays < 0'),
  refuse('shares of the first days bind people, too', 'if (count > MAX_SHARES) return text', ''),
  refuse(
    'the won of the first days',
    'if (bought + cost <= amount) return null\n  return `처음',
    'return null\n  return `처음',
  ),
  change('never above the server', ': chosen, ceilingOf(server, limit))', ': chosen, null)'),
  change('defaults of who chose nothing', '(server.defaults?.[limit] ?? null)', 'null'),
  change('a loosening waits', 'if (looser) pending.set(', 'if (value === -1) pending.set('),
  change('no limit at all is looser', '(value === null || value > than)', '(value !== null && value > than)'),
  change('a loosening waits for the next day', 'addDays(day, 1)', 'day'),
  change('a later change cancels a loosening', '    pending.delete(limit)\n', ''),
  change('whole numbers in their range', 'Number.isInteger(value) && ', ''),
  change('no setting above the server', 'ceiling !== null && value > ceiling', 'ceiling !== null && value < 0'),

  states('the next day is waited for', 'from <= day)', "from !== '')"),
  states('a loosening comes true', 'fromEntries(due.map(', 'fromEntries(due.slice(99).map('),
  states('a stop by a limit is listed', 'trips: [...state.trips, reached]', 'trips: state.trips'),
  states(
    'releasing ends the listing',
    "fact.stop === 'active' ? released(state, null)",
    "fact.stop === 'halt' ? released(state, null)",
  ),
  states('of one stock, too', 'released(state, fact.code) : state', 'state : state'),

  use('lots of every stock count', 'let sum = stockBuyAmount(book)', 'let sum = 0'),
  use(
    'live buys of every stock count',
    "if (order.side === 'buy' && isLive(order.status)) sum +=",
    'if (order.id < 0) sum +=',
  ),
  use(
    'only what is not filled yet',
    '(order.count - order.filledCount) * order.reservedPrice',
    'order.count * order.reservedPrice',
  ),
  use('live buys count for the day', 'if (isLive(order.status)) sum +=', 'if (!isLive(order.status)) sum +='),
  use('what today realised', 'let gain = book.gainToday', 'let gain = 0'),
  use('what the lots lose', 'gain += unrealisedGain(remainCount(lots), remainAmount(lots), price) ?? 0', 'gain += 0'),
  use('only recent circles', ' && order.createdAt > since', ''),
  use('only buys that were sold again', ' && order.lots.some(({ lotId }) => sold.has(lotId))', ''),
  use('only sales that were filled', ' && order.filledCount > 0', ''),

  refuse(
    'people only',
    "  origin === 'auto'\n    ? null\n",
    "  origin === 'auto' && side === 'buy' && count < 0\n    ? null\n",
  ),
  refuse('a cheap price hides no worth', 'Math.max(price, ctx.quote(stock.issue.code)?.price ?? 0)', 'price'),
  refuse('without a price, at cost', 'each > 0 ? each * count', 'each >= 0 ? each * count'),
  refuse(
    'its own target is no typing error',
    '  if (isOwnTarget(stock, lotsOf(stock, lotIds), price)) return null\n',
    '',
  ),
  refuse('automatic sales are not collared', "if (side === 'buy' || origin === 'auto' ||", "if (side === 'buy' ||"),

  watch('prices are looked at on the timer', " && event.kind !== 'timer'", ''),
  watch(
    'a buy turned away stops the buying',
    "if (code === 'positionAmount' || code === 'lossAmount') reach",
    'if (code.length < 0) reach',
  ),
  watch('the limit itself is reached', 'used >= position', 'used > position'),
  watch('a loss stops', 'if (loss !== null) reach(', "if (loss === '') reach("),
  watch('unknown orders stop', 'most !== null && unknown > most', 'most !== null && unknown < 0'),
  watch('each order is counted once', " && before.orders.get(fact.orderId)?.status !== 'unknown'", ''),
  watch('circles stop', 'count <= most || ', 'count > 0 || '),
  watch('reported once', 'if (!isReported(builder.book, limit, null)) builder', 'builder'),
  watch('reported once of a stock', " || isReported(book, 'repeatCount', code)", ''),
  watch('bad numbers', '  if (problem !== undefined) return `${problem.limit}: ${problem.text}`\n', ''),

  evolve('reaching a limit stops', 'stop: reduced(book.stop)', 'stop: book.stop'),
  evolve('reaching a limit stops the stock', 'stop: reduced(stock.stop)', 'stop: stock.stop'),
  evolve('what is stricter stays', "stop === 'active' ? 'reduce' : stop", "stop === 'active' ? 'reduce' : 'reduce'"),
  evolve('gains of other days', ' || fact.trade.day !== book.day) return numbered', ') return numbered'),
  evolve('each day begins at nothing', ', gainToday: 0 }', ' }'),
  buying(
    'automatic buys turned away are reported',
    "  if (judgement.kind === 'hold') stopAtLimit(builder, judgement.reasons)\n",
    '',
  ),
  pendingSales(
    "a person's sale by its largest order",
    '  return tooMuch === null ? null',
    '  return tooMuch !== undefined ? null',
  ),
  step('limits are watched', '  watchLimits(builder, before, event)\n', ''),
  commands(
    'limits that cannot be',
    "problem === null ? done : refused('INVALID', problem)",
    'problem === null ? done : done',
  ),
]
