import { inFile, type Guard } from './guard.ts'

const CHECKS = [
  'shadow',
  'authorised',
  'stop',
  'otherServer',
  'timeKnown',
  'session',
  'clockRight',
  'dayAgreed',
  'noticesHeard',
  'halted',
  'designated',
  'frozen',
  'fresh',
  'limitsRead',
  'armed',
  'reconciled',
  'pause',
  'refusedNow',
  'heldBack',
  'size',
  'grid',
  'band',
  'marketType',
  'maxBuyPrice',
  'maxBuyAmount',
  'target',
  'orderAmount',
  'dailyBuyAmount',
  'firstDays',
  'personOrderAmount',
  'collar',
  'sellCollar',
  'ordersPerMinute',
  'unknown',
  'oneBuy',
  'oneOrderPerLot',
  'booked',
  'lossAmount',
  'positionAmount',
  'queue',
]

const gate = inFile('account/gate')
const doubts = inFile('account/preconditions')
const shape = inFile('account/order-shape')
const locked = inFile('account/locked-shares')
const buy = inFile('ladder/buy')
const sell = inFile('ladder/sell')
const perShare = inFile('ladder/per-share')

/** The gate and the ladder: what may go out at all. */
export const DECIDING: readonly Guard[] = [
  ...CHECKS.map((check) =>
    gate(`check ${check}`, 'of checks) {', `of checks.filter((one) => one.name !== '${check}')) {`),
  ),
  gate('nor a sell that fills at once', 'return quote.price >= price ?', 'return price < 0 ?'),
  gate('nor before a price is known', "return '아직 현재가를", "return price > 0 ? null : '아직 현재가를"),
  gate('nor while the base is in doubt', ' && quote?.isDoubted !== true)', ')'),
  doubts(
    'people see what the broker says',
    "origin === 'person' || doubts?.clockOffMs === undefined",
    'doubts?.clockOffMs === undefined',
  ),
  gate('the strictest stop counts', 'STRICTNESS[stop] > STRICTNESS[worst]', 'STRICTNESS[stop] < STRICTNESS[worst]'),
  gate('a trade from the future is not fresh', 'Math.abs(ctx.now - quote.at)', 'ctx.now - quote.at'),
  gate('a first price only re-bases', 'if (!quote.live) return', 'if (quote.price < 0) return'),
  gate('short positions are not sold', "blocked.code === 'mismatch' && !blocked.short", "blocked.code === 'mismatch'"),
  gate(
    'doubted short positions are not sold',
    'suspected.broker < suspected.book ? suspectedText',
    'suspected.broker > suspected.book ? suspectedText',
  ),
  gate(
    'a doubt stops buys',
    'blocked === null ? suspectedText : blocked.text',
    'blocked === null ? null : blocked.text',
  ),
  gate('refused buys leave the sells', 'blocked === null || blocked.buysOnly === true)', 'blocked === null)'),
  locked('growing lots are not sold', ' && lot.buyOrderId === null)', ')'),
  locked('refused buys count no shares', '(blocked === null || blocked.buysOnly === true)', 'blocked === null'),
  shape('live buys count against the cap', 'heldAmount(stock) + liveBuyAmount(live) +', 'heldAmount(stock) +'),

  buy('never above maxBuyPrice', '    maxBuyPrice,\n    movedDown', '    movedDown'),
  buy('a tick below the reference', 'lastBuyPrice - tickSize(lastBuyPrice - 1, kind)', 'lastBuyPrice'),
  buy('the next price rounds down', 'step > 0 ? floorToTick(step, kind)', 'step > 0 ? ceilToTick(step, kind)'),
  buy('waits above the next price', 'if (price > next) {', 'if (price > next * 2) {'),
  buy('autoBuy off', 'if (!settings.autoBuy) return', 'if (settings.autoBuy === undefined) return'),
  buy(
    'the order price is on the grid',
    'const price = ceilToTick(input.price, input.kind)',
    'const price = input.price',
  ),
  buy('the band', 'if (outside) return hold(outside)', ''),
  buy(
    'the cap trims',
    'Math.min(sharesPerBuy(settings, price), Math.floor(room / price))',
    'sharesPerBuy(settings, price)',
  ),
  buy(
    'the first days trim',
    'Math.min(wanted, sharesWithin(input.settings, price, room))',
    'sharesWithin(input.settings, price, room)',
  ),
  buy('live buys take room', 'input.heldAmount + input.liveBuyAmount', 'input.heldAmount'),
  buy('lots take room', 'input.heldAmount + input.liveBuyAmount', 'input.liveBuyAmount'),
  buy('no cash, no buy', 'input.buyableCount < count) return', 'input.buyableCount < 0) return'),
  buy('nothing left, no buy', 'if (count <= 0) return hold', 'if (count < 0) return hold'),

  sell('targets round up', 'return ceilToTick(Math.max(gain, floor), kind)', 'return Math.max(gain, floor)'),
  sell('the lowest sell price', 'Math.max(gain, floor)', 'gain'),
  sell('autoSell off', 'if (!settings.autoSell) return', 'if (settings.autoSell === undefined) return'),
  sell('the average rounds up', 'perShareUp(remainAmount(lots), count)', 'Math.floor(remainAmount(lots) / count)'),
  perShare('what was paid rounds up', 'Math.ceil(amount / count)', 'Math.floor(amount / count)'),
  perShare('what was received rounds down', 'Math.floor(amount / count)', 'Math.ceil(amount / count)'),
  sell('the band', 'band.lower <= order.price && order.price <= band.upper', 'true'),
  sell('cheapest lots first', 'a.target - b.target', 'b.target - a.target'),
  sell(
    'the reference stays when off',
    '(recoverLastBuyPrice ? (lowestHeld ?? salePrice) : reference)',
    '(lowestHeld ?? salePrice)',
  ),
]
