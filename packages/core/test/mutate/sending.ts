import { inDatabase, inEngine, inFile, type Guard } from './guard.ts'

const mailbox = inEngine('account/mailbox')
const failures = inEngine('account/commit-failures')
const pending = inEngine('account/pending-commands')
const queue = inFile('account/event-queue')
const look = inEngine('account/last-look')
const shadow = inFile('account/ordering')
const clock = inEngine('broker/steady-clock')
const broken = inDatabase('embedded/broken')

/** The engine's own guards: the last look before the wire, the commit before the effect, the clock, the disk. */
export const SENDING: readonly Guard[] = [
  look('halt at the last moment', "if (stop === 'halt') return", 'if (id < 0) return'),
  look('no buys at the last moment', "if (stop === 'reduce' && side === 'buy') return", 'if (id < 0) return'),
  look('another server', 'if (books.some(({ otherServer }) => otherServer.suspected !== null))', 'if (id < 0)'),
  look('what is only rehearsed', 'isShadowed(stocks.get(code) ?? { shadow: false }, conditions)', 'stocks === null'),
  look('the lease', 'if (!lease.held()) return', 'if (order.id < 0) return'),
  look('the age of an order', 'if (bootNow() - this.#committedAt > MAX_ORDER_AGE_MS[env])', 'if (order.id < 0)'),
  look(
    'the age of a price',
    "order.side === 'buy' && order.origin === 'auto' && clock.now()",
    'order.id < 0 && clock.now()',
  ),
  pending('stops that are not durable yet', "if (command.kind === 'setStop') this.#stops.set(ticket, command)", ''),
  pending(
    'stops of the user hold everywhere',
    "pending.level === 'user' || pending.code === code",
    'pending.code === code',
  ),
  pending('stops of a stock hold there only', "pending.level === 'user' || pending.code === code", 'true'),
  pending('a looser stop that comes late', 'this.#stopChanges.isLate(command, book)', 'false'),
  look('what a person cancelled', 'if (books.some(({ orders }) => orders.get(id)?.cancelWanted))', 'if (id < 0)'),
  look('what was given up as lost', "?.status === 'intended')", "?.status !== 'filled')"),
  look('what is being decided', '[book, mailbox.inDoubt]', '[book]'),
  mailbox('a commit is in doubt until its answer', '    this.#inDoubt = account.book\n', ''),
  mailbox(
    'and no longer',
    '      this.#account = next.account\n      this.#inDoubt = null\n',
    '      this.#account = next.account\n',
  ),
  mailbox('durable before it is sent', 'await this.#parts.committer.commit(', 'void this.#parts.committer.commit('),
  mailbox('a failed commit is not believed', '    this.#stale = true\n', ''),
  failures('a failed commit is not tried at once', 'RETRY_MS * 2 ** this.#count', '0 * this.#count'),
  failures('the trouble ends', '      this.#since = null\n', ''),
  failures('but not too early', 'if (event === this.#last) {', 'if (event !== null) {'),
  mailbox('a sale that waits is answered', 'this.#commands.notSold(ticket)', 'void ticket'),
  mailbox('what was asked for is kept', 'accountReadAgain(before, loaded.book)', 'newAccount(loaded.book)'),
  mailbox(
    'what a restart left to be decided is owed on',
    'if (this.#account.view.connection.inheritedMs === null) this.#inh',
    'this.#inh',
  ),
  mailbox('nothing is put back twice', 'isPostedAnew(event) ? [restarted, authorised] : ', ''),
  mailbox('a step that throws is counted', '(this.#undecided.get(event.kind) ?? 0) + 1', '0'),
  mailbox('until it does so no more', '      this.#undecided.delete(event.kind)\n', ''),
  queue(
    'who was told no is not done later',
    "    this.#events = this.#events.filter((event) => event.kind !== 'command')\n",
    '',
  ),

  shadow(
    'what rests is taken back',
    ', builder.ctx)) continue\n    askCancel(builder, order.id)\n',
    ', builder.ctx)) continue\n',
  ),
  shadow('but what a person ordered', "order.origin === 'person' || ", ''),

  clock('the machine does not set it', 'Math.floor(this.#base + this.#even())', 'Math.floor(Date.now())'),
  clock(
    'rounding is no difference',
    'if (off <= TOLERANCE_MS && off >= -TOLERANCE_MS - (isSlow ? ageMs : 0)) {',
    'if (off === 0) {',
  ),
  clock('what a slow reply says may have passed', ' - (isSlow ? ageMs : 0)', ''),
  clock('where nobody says it, not at once', 'if (at - this.#untoldAt >= UNTOLD_MS) this', 'this'),
  clock('a slow reply sets nothing', '    if (isSlow) return\n', ''),
  clock('the first prompt reply sets it', 'if (!this.#isKnown && ageMs !== null) return', 'if (off === 0) return'),
  clock('the socket alone does not', 'if (!this.#isKnown && ageMs !== null)', 'if (!this.#isKnown)'),
  clock(
    'one answer is not enough',
    'before === null || Math.abs(before.off - off) > SAME_WITHIN_MS',
    'before === undefined',
  ),
  clock('a burst is not enough', '    if (at - before.at < CONFIRM_AFTER_MS) return\n', ''),
  clock('not again and again', '    if (at - this.#setAt < SET_INTERVAL_MS) return\n', ''),
  clock('a clock that is off is told', '    this.#offMs = off\n', ''),
  clock('until it is not', 'this.#doubt = this.#offMs = null\n      return', 'this.#doubt = null\n      return'),
  clock('times that are none', '    if (!Number.isFinite(off)) return\n', ''),

  broken('a full disk', "if (DISK.has(code)) return 'disk'", ''),
  broken('an engine in pieces', 'INSIDE.has(code) || ', ''),
  broken('a panic', " || fields.includes('VPANIC')", ''),
]
