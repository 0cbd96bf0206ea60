import type { Edit } from './mutants.ts'

/** A promise, and a change of the product or of a model that breaks it: what no change can break is no check. */
export interface Checked {
  readonly promise: string
  /** What is done wrongly. */
  readonly breaks: string
  readonly edits: readonly Edit[]
  /** It shows only when people press for it, which takes a longer run. */
  readonly isPressed?: true
}

const inFile =
  (path: string) =>
  (from: string, to: string): Edit => ({ file: path, from, to })

const runner = inFile('packages/engine/src/account/effect-runner.ts')
const look = inFile('packages/engine/src/account/last-look.ts')
const health = inFile('packages/engine/src/health.ts')
const gate = inFile('packages/core/src/account/gate.ts')
const ledger = inFile('packages/core/src/account/ledger.ts')
const rowEnd = inFile('packages/core/src/account/row-end.ts')
const booking = inFile('packages/core/src/account/book-fill.ts')
const buying = inFile('packages/core/src/account/buying.ts')
const selling = inFile('packages/core/src/account/selling.ts')
const buy = inFile('packages/core/src/ladder/buy.ts')
const shadows = inFile('packages/shadow/src/shadows.ts')
const rehearse = inFile('packages/shadow/src/rehearse.ts')
const order = inFile('packages/kis/src/rest/order.ts')
const stock = inFile('packages/server/src/handlers/stock.ts')
const marketOrder = inFile('packages/server/src/handlers/market-order.ts')
const orders = inFile('packages/server/src/handlers/order.ts')
const live = inFile('packages/server/src/handlers/live.ts')
const problem = inFile('packages/http/src/problem.ts')
const bundle = inFile('packages/screens/src/live/bundle.ts')
const matching = inFile('packages/kis-sim/src/exchange/exchange.ts')
const books = inFile('simulation/checks/books.ts')

const SAVE = 'updateStock: (given) => updateStock(services, given),'
const SELL_AT_MARKET = 'return sent(services, userId, command, key)'
const ASK_STOP = `    await accounts.ask(userId, { kind: 'setStop', level, code: level === 'stock' ? code : null, stop, seen }, key)\n`

/**
 * Promises that a change breaks by itself. Of the others "only one server trades", "nothing given up arrives", "no order
 * leaves late" and "armed in time" are broken by the known faults of mutants.ts; "questions are answered" has a unit test.
 */
export const CHECKED: readonly Checked[] = [
  {
    promise: 'no order without a committed row',
    breaks: 'An order asks for one share more than its row.',
    edits: [order('ORD_QTY: String(order.count),', 'ORD_QTY: String(order.count + 1),')],
  },
  {
    promise: 'no double order',
    breaks: 'Each order is sent a second time at once.',
    edits: [
      runner(
        'const { odno, orgno } = await this.broker.rest.order(order, lastLook)',
        'const [{ odno, orgno }] = await Promise.all([1, 2].map(() => this.broker.rest.order(order, lastLook)))',
      ),
    ],
  },
  {
    promise: 'nothing against a stop in force',
    breaks: 'Neither the gate nor the last look knows of stops.',
    isPressed: true,
    edits: [
      gate("{ name: 'stop', refuse: refuseStopped }", "{ name: 'stop', refuse: () => null }"),
      look("    if (stop === 'halt') return", "    if (order.id < 0 && stop === 'halt') return"),
      look("    if (stop === 'reduce' && ", "    if (order.id < 0 && stop === 'reduce' && "),
    ],
  },
  {
    promise: 'nothing leaves the shadow',
    breaks: 'Neither the gate nor the last look knows of the shadow.',
    edits: [
      gate("{ name: 'shadow', refuse: refuseShadowed }", "{ name: 'shadow', refuse: () => null }"),
      look(
        '    if (books.some(({ stocks }) => isShadowed(',
        '    if (id < 0 && books.some(({ stocks }) => isShadowed(',
      ),
    ],
  },
  {
    promise: 'the shadow decides in time',
    breaks: 'A rehearsal sees no price.',
    edits: [
      shadows(
        'contextOf: (state) => this.#context(userId, state.account)',
        'contextOf: (state) => ({ ...this.#context(userId, state.account), quote: () => undefined })',
      ),
    ],
  },
  {
    promise: 'what is in the shadow is rehearsed',
    breaks: 'A rehearsal is never begun.',
    edits: [shadows('if (shadowedStocks(real).length > 0) this', 'if (shadowedStocks(real).length > 99) this')],
  },
  {
    promise: 'only the shadow is rehearsed',
    breaks: 'What people order of a real stock goes into a rehearsal.',
    isPressed: true,
    edits: [
      shadows(
        'if (stock === undefined || !isShadowed(stock, { shadow: rehearsing.isEverything })) return',
        'if (stock === undefined) return',
      ),
    ],
  },
  {
    promise: 'the journal makes the rehearsal',
    breaks: 'What is decided in the shadow is shown, and only half of it is written.',
    edits: [
      rehearse(
        'return { state: { account, outlay }, facts,',
        "return { state: { account, outlay }, facts: facts.filter(({ kind }) => kind !== 'lotBought'),",
      ),
    ],
  },
  {
    promise: 'the journal makes the rehearsal',
    breaks: 'Where the next buy of a rehearsal is counted from is not written.',
    edits: [
      rehearse(
        'return { state: { account, outlay }, facts,',
        "return { state: { account, outlay }, facts: facts.filter(({ kind }) => kind !== 'referenceMoved'),",
      ),
    ],
  },
  {
    promise: 'limits hold',
    breaks: 'A buy costs up to two percent more than the price at which it is due.',
    edits: [
      buy(
        'const price = ceilToTick(input.price, input.kind)',
        'const price = ceilToTick(input.price * 1.02, input.kind)',
      ),
    ],
  },
  {
    promise: 'no lot in two live orders',
    breaks: 'Every sale is made twice.',
    edits: [
      selling('for (const plan of missing) {', 'for (const plan of [...missing, ...missing]) {'),
      gate("side === 'sell' && lotIds.some(", "side === 'buy' && lotIds.some("),
    ],
  },
  {
    promise: 'fills are booked',
    breaks: 'A fill in the list is passed over.',
    edits: [ledger('!bookFill(builder, order, row)) return', 'order.id > 0) return')],
  },
  {
    promise: 'book and list agree',
    breaks: 'An order that the list shows as cancelled stays open.',
    isPressed: true,
    edits: [rowEnd('  row.cancelled ||\n  row.remainingCount <= 0 ||\n', '  order.id < 0 ||\n')],
  },
  {
    promise: 'people are answered',
    breaks: 'Saving settings takes 46 seconds.',
    edits: [
      stock(
        SAVE,
        'updateStock: (given) => new Promise((done) => setTimeout(done, 46_000)).then(() => updateStock(services, given)),',
      ),
    ],
  },
  {
    promise: 'nothing breaks inside',
    breaks: 'Saving settings throws.',
    edits: [stock(SAVE, "updateStock: () => Promise.reject(new Error('inside')),")],
  },
  {
    promise: 'answers tell nothing of the inside',
    breaks: 'It throws, and the answer has the stack.',
    edits: [
      stock(SAVE, "updateStock: () => Promise.reject(new Error('inside')),"),
      problem("{ code: 'INTERNAL', message }", "{ code: 'INTERNAL', message: error.stack }"),
    ],
  },
  {
    promise: 'ok means done',
    breaks: 'A stop is answered with ok and not set.',
    isPressed: true,
    edits: [live(ASK_STOP, '')],
  },
  {
    promise: 'ok means done',
    breaks: 'A sale at the market price is answered with ok and not made.',
    isPressed: true,
    edits: [marketOrder(SELL_AT_MARKET, 'return { sent: [] }')],
  },
  {
    promise: 'ok means done',
    breaks: 'A cancel is answered with ok and not asked for.',
    isPressed: true,
    edits: [orders("      await accounts.ask(userId, { kind: 'cancelOrders', code: query.code || null }, key)\n", '')],
  },
  {
    promise: 'refused means not done',
    breaks: 'A stop is set and refused.',
    isPressed: true,
    edits: [live(ASK_STOP, `${ASK_STOP}    if (stop !== 'active') throw new Refused('REJECTED', 'no')\n`)],
  },
  {
    promise: 'refused means not done',
    breaks: 'A sale at the market price is made and refused.',
    isPressed: true,
    edits: [
      marketOrder(
        SELL_AT_MARKET,
        `await ${SELL_AT_MARKET.slice('return '.length)}\n      throw new Refused('REJECTED', 'no')`,
      ),
    ],
  },
  {
    promise: 'troubles end',
    breaks: 'The server has a trouble for ever.',
    edits: [health('...this.#around()] }', "...this.#around(), { code: 'queue', accounts: 1, text: 'for ever' }] }")],
  },
  {
    promise: 'queues stay bounded',
    breaks: 'More and more waits.',
    edits: [health('return { ...vitals, troubles', 'return { ...vitals, mailbox: vitals.mailbox + 200, troubles')],
  },
  {
    promise: 'prices are pushed',
    breaks: 'No price is pushed.',
    edits: [bundle('if (this.#prices.size > 0)', 'if (this.#prices.size < 0)')],
  },
  {
    promise: 'what is pushed is so',
    breaks: 'Cards are pushed with one share too many.',
    edits: [
      bundle(
        'this.#stocks.set(stock.code, stock)',
        'this.#stocks.set(stock.code, { ...stock, remainCount: stock.remainCount + 1 })',
      ),
    ],
  },
  {
    promise: 'due orders go out',
    breaks: 'No price is low enough.',
    edits: [buying('if (quote.price > stock.nextBuyPrice) {', 'if (quote.price > 0) {')],
  },
  {
    promise: 'targets are sold',
    breaks: 'The exchange matches no sale with a price.',
    edits: [
      matching(
        'matchesFor(issue, order.routed, order.side, limit, order.remaining)',
        "order.side === 'sell' ? [] : matchesFor(issue, order.routed, order.side, limit, order.remaining)",
      ),
    ],
  },
  {
    promise: 'book and broker agree',
    breaks: 'A fill is booked with one won too much.',
    edits: [booking('amount: row.filledAmount })', 'amount: row.filledAmount + 1 })')],
  },
  {
    promise: 'no process dies of an error',
    breaks: 'An error of a page that is saved is caught by nobody.',
    edits: [
      stock(
        SAVE,
        "updateStock: (given) => (queueMicrotask(() => { throw new Error('nobody') }), updateStock(services, given)),",
      ),
    ],
  },
  {
    promise: 'each check looked',
    breaks: 'The check of the books takes every moment for one with a fault.',
    edits: [books("return !isExcused(plan, 'late', from, simulation.now, RECOVERY_MS)", 'return false')],
  },
]
