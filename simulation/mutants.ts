/** Replaces text that occurs once in a file. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A known fault of the whole server, put back by taking out what mended it, and nothing else. */
export interface Mutant {
  readonly name: string
  /** The promise that does not hold any more. */
  readonly proves: string
  /** What has to happen until harm can be seen, and what is seen then. */
  readonly shows: string
  /** What else stands in the way of the harm and stays in place; null: nothing. */
  readonly masks: string | null
  readonly edits: readonly Edit[]
}

const inFile =
  (file: string) =>
  (from: string, to: string): Edit => ({ file: `packages/${file}.ts`, from, to })

const mailbox = inFile('engine/src/account/mailbox')
const mailboxParts = inFile('engine/src/account/mailbox-parts')
const connected = inFile('engine/src/account/connected-account')
const look = inFile('engine/src/account/last-look')
const runner = inFile('engine/src/account/effect-runner')
const committer = inFile('storage/src/committer')
const load = inFile('storage/src/load')
const holder = inFile('database/src/holder')
const calls = inFile('kis/src/transport/calls')
const socket = inFile('kis/src/transport/resetting-socket')
const limiter = inFile('kis/src/transport/rate-limiter')
const limits = inFile('kis/src/transport/limits')
const unknown = inFile('core/src/account/unknown')
const power = inFile('core/src/account/buying-power')
const buying = inFile('core/src/account/buying')

/** Nobody asks any more whether this process still owns the database. */
const WITHOUT_LEASE: readonly Edit[] = [
  look('if (!lease.held()) return', 'if (order.id < 0) return'),
  committer('    if (!this.#lease.held()) return Promise.reject(new NoLeaseError())\n', ''),
  committer('    if (!this.#lease.held()) throw new NoLeaseError()\n', ''),
  load('    if (!this.#tables.lease.held()) throw new NoLeaseError()\n', ''),
]

const WITHOUT_AGE = look('if (bootNow() - this.#committedAt > MAX_ORDER_AGE_MS[env])', 'if (order.id < 0)')

/** What the broker took after an order was given up is not that order. */
const NOT_RECOGNISED = unknown('return absentFrom === null ? updatedAt : Number.POSITIVE_INFINITY', 'return updatedAt')

/** Answers about cash by stock, void when a buy was accepted after they were wanted. */
const ANSWERS_BY_STOCK: readonly Edit[] = [
  power(
    `(account: Account, ctx: Context): number | null {
  const known = lastKnownCash(account)
  return known === null || ctx.now - known.at > ANSWER_MS ? null : known.amount`,
    `({ book, view }: Account, ctx: Context, code: string): number | null {
  const { answers, movedAt = 0, acceptedAt } = view.cash
  const answer = answers?.get(code)
  if (answer === undefined || ctx.now - answer.at > ANSWER_MS || answer.at < movedAt) return null
  return answer.amount - unseenBuys(book.orders.values(), acceptedAt, answer.at)`,
  ),
  power(
    `|| ctx.now < view.cash.notBefore) return
  if (view.cash.askedAt !== null && ctx.now - view.cash.askedAt < QUESTION_TIMEOUT_MS) return
  if (view.cash.answer !== null && ctx.now - view.cash.answer.at < REFRESH_MS) return
  builder.patchView({ cash: { askedAt: ctx.now } })`,
    `|| knownCash(builder, ctx, code) !== null) return
  if (ctx.now - (view.cash.asked?.get(code) ?? 0) < ANSWER_MS) return
  builder.patchView({ cash: { asked: new Map(view.cash.asked).set(code, ctx.now) } })`,
  ),
  power('onCash(builder: StepBuilder, amount: number, askedAt: number)', 'onCash(builder, amount, askedAt, code)'),
  power("onCashFailed(builder, '묻는 사이 연결이나 시계가 바뀌었습니다.')", "onCashFailed(builder, '', code)"),
  power(
    '{ answer: { amount, at: askedAt }, askedAt: null,',
    `{
    answers: new Map(builder.view.cash.answers).set(code, { amount, at: askedAt }),
    asked: new Map([...(builder.view.cash.asked ?? [])].filter(([one]) => one !== code)),`,
  ),
  power('onCashFailed(builder: StepBuilder, failure: string)', 'onCashFailed(builder, failure, code)'),
  power(
    '{ askedAt: null, notBefore: builder.ctx.now + FAILED_MS,',
    '{ asked: new Map(builder.view.cash.asked).set(code, builder.ctx.now - ANSWER_MS + FAILED_MS),',
  ),
  power('{ cash: { acceptedAt: new Map(', '{ cash: { movedAt: builder.ctx.now, acceptedAt: new Map('),
  buying('knownCash(account, ctx)', 'knownCash(account, ctx, stock.issue.code)'),
  buying(
    'if (onCash(builder, answer.amount, answer.askedAt)) considerBuys(builder)',
    'if (onCash(builder, answer.amount, answer.askedAt, answer.code)) considerBuy(builder, answer.code)',
  ),
  buying('return onCashFailed(builder, answer.text)', 'return onCashFailed(builder, answer.text, answer.code)'),
  runner("return { kind: 'cash', ...cash }", "return { kind: 'cash', code, ...cash }"),
  runner("return { kind: 'cashFailed', text:", "return { kind: 'cashFailed', code, text:"),
]

/** The age of an answer counts from when it was wanted, and lists wait behind questions. */
const AGE_BEFORE_QUEUE: readonly Edit[] = [
  runner(
    '    const { amount, cash, leftAt } = await',
    '    const leftAt = this.#lastLookParts.conditions.clock.now()\n    const { amount, cash } = await',
  ),
  limiter("  if (kind === 'question') return queue.length\n", '  return queue.length\n'),
  limiter(".filter((other) => kind === 'question' || other.kind !== 'question')", ''),
  limits('{ order: 100, ledger: 50, quote: 100 }', '{ order: 100, ledger: 500, quote: 100 }'),
]

/** What the simulation of the whole server must find, each in every start. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'S1-1',
    proves: 'An account that was read again after refused commits keeps its permission to trade.',
    shows: `The database answers reads and refuses writes for two seconds or more while an order is on its way or being
      cancelled: the commit in hand and then that of "restarted" are refused, with a good reading between. Afterwards the
      account is never authorised again: not armed a minute after the fault, fills of resting orders not booked.`,
    masks:
      'A restart of the process, a closed key, or a broker that is attached anew ends it: none may follow the fault.',
    edits: [
      mailbox('      this.#begin(event)\n', '      this.#begin(event, before.view.connection.authorised)\n'),
      mailbox('#begin(event: AccountEvent): void {', '#begin(event: AccountEvent, permitted: boolean): void {'),
      mailbox('authorised: this.#effects.authorised } as const', 'authorised: permitted } as const'),
      mailbox('      else this.#queue.putFirst(event)\n', ''),
      connected('    this.#keepAuthorised()\n', ''),
    ],
  },
  {
    name: 'S1-2',
    proves: 'A server that slept while another took over sends nothing when it wakes.',
    shows: `PostgreSQL, two servers. Several orders of one account wait behind an order whose reply takes seconds. The first
      server is paused and the database ends all its sessions; a second server takes over, and a person presses halt there.
      The first one is let go, after any time: the reply in its socket frees the queue, and the next order leaves in the
      same turn, against a durable halt. Given up by the second server meanwhile, it is in no book.`,
    masks:
      'The sequence of the account refuses the next commit of the first server, so one order leaves for each wake.',
    edits: [
      ...WITHOUT_LEASE,
      WITHOUT_AGE,
      holder('return replaced.resolve(new', 'return void (new'),
      holder('      if (rowCount === 0) throw new TakenOverError()\n', ''),
      NOT_RECOGNISED,
    ],
  },
  {
    name: 'S1-3',
    proves: 'A refusal of an order with a code that nobody has listed is no verdict.',
    shows: `The broker takes an order and answers 200 with rt_cd 1 and a code like ZZZZ0001. The order counts as refused; five
      seconds later the same step is sent again: two orders at the exchange for one step or lot, and the first in no book.`,
    masks: `Three refusals of a stock without a success between stop it, and a strange fill that the list shows blocks it: the
      double is there before, unless the exchange fills and the list is read within the five seconds.`,
    edits: [
      calls('switch (isOrder ? orderFailureOf(reply) : failureOf(reply))', 'switch (failureOf(reply))'),
      unknown("of ['unknown', 'notPlaced', 'rejected'] as const", "of ['unknown', 'notPlaced'] as const"),
    ],
  },
  {
    name: 'S1-5',
    proves: 'One question about cash is out for the account at a time, and keeps no list waiting.',
    shows: `All of an account's twelve stocks are at or within one percent of their next buy at the same time, for a minute: a
      fall of the whole market, with the broker's real limits (one ledger query in 1.05 s). From eleven questions on every
      answer is older than ten seconds when it comes: after two or three buys none leaves though due, the ledger queue
      grows beyond the number of stocks, and a fill is booked later than five seconds after it happened.`,
    masks: 'With ten or fewer such stocks in one account all answers come in time, and nothing can be seen.',
    edits: [...ANSWERS_BY_STOCK, ...AGE_BEFORE_QUEUE],
  },
  {
    name: 'late-order',
    proves: 'An order that was given up is not delivered later.',
    shows: `The bytes of one order are kept by the kernel of a cut line and delivered 42 to 60 s after they were written (it
      tries at 0.2, 0.6 … 25, 51 s; the line is back after about 30 s, or only that connection was slow). The order is given
      up at 20 s, looked for in lists asked from 40 s on, "not placed" at 43 to 46 s and made again five seconds later while
      its price holds: two orders at the exchange for one step or lot. Seconds earlier the list finds it: no harm.`,
    masks:
      'A broker that closes idle connections, or a pause longer than the 60 s of the kernel, never gets the late bytes.',
    edits: [socket('    return this.resetAndDestroy()\n', '    return super.destroy(error)\n'), NOT_RECOGNISED],
  },
  {
    name: 'lease',
    proves: 'Nothing is sent or committed by a server that cannot show that the database is still its own.',
    shows: `As S1-2, but let go while the waiting orders are younger than their age limit: paused for 5 to 9 s (real) or 5 to
      55 s (paper), with the second server armed to start at once and halt pressed there within that time. Or without a
      pause: the database ends the sessions of the first server and lets it in again only later, while its orders wait
      for the slow line. An order leaves against a durable halt.`,
    masks: `The age of the commit (longer pauses), the holder's row (a server that wakes and reaches the database at once looks
      before its next order, which lets an overdue list pass first), the sequence of the account (its commits). An automatic
      buy is too old by then: the next order must be a sale. On the embedded database the lease cannot be lost.`,
    edits: WITHOUT_LEASE,
  },
  {
    name: 'age-limit',
    proves:
      'An order leaves within ten seconds of its commit (sixty on paper), an automatic buy within five, or not at all.',
    shows: `Slow replies are enough for the rule itself: five orders of a sale, four seconds a reply, and the fourth is written
      12 s after its commit. Harm by two servers: the first is paused for more than the limit with several orders waiting
      and its sessions ended; the second takes over, halt is pressed there, and it is killed; the first is let go, takes
      the free lock again within a few ms, and its second waiting order leaves 100 ms after the first was held back, before
      the holder's row is looked at (3 s): against a durable halt.`,
    masks: `The lease stops the first waiting order of the wake (it is renewed before the second). In one server alone no stop
      and no double can be broken by age: there the time between commit and write has to be checked.`,
    edits: [WITHOUT_AGE, look('clock.now() - order.createdAt > MAX_BUY_AGE_MS', 'order.id < 0')],
  },
  {
    name: 'waiting-time',
    proves: 'An order inherited without a reply counts as absent only when no kernel can deliver it any more.',
    shows: `The process is killed (no reset) with an order written and not delivered, and another starts at once. Two silent
      lists, asked from 20 s after that start, free the step, and it is made again five seconds later; the kernel of the dead
      process delivers the first one 25 to 60 s after the write: two orders for one step or lot. The line must be there
      again for lists by then, or only that connection slow. A frozen process that was taken over is the same, for longer.`,
    masks: `Recognition (the stock is blocked and the newer order cancelled when the older one is listed) comes after the double.
      Within one process the reset of the connection bounds the lateness; the wait adds the listing lag to it.`,
    edits: [
      holder('const DEAD_MS = 120_000', 'const DEAD_MS = 20_000'),
      holder('const FROZEN_MS = 960_000', 'const FROZEN_MS = 20_000'),
      mailboxParts('OWN_LATE_MS = 40_000', 'OWN_LATE_MS = 20_000'),
    ],
  },
]
