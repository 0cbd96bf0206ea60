import { inServer, type Guard } from './guard.ts'

const runner = inServer('accounts/runner')
const clock = inServer('accounts/steady-clock')
const broken = inServer('db/embedded/broken')

/** The server's own guards: the last look before the wire, the commit before the effect, the clock, the disk. */
export const SENDING: readonly Guard[] = [
  runner('halt at the last moment', "if (stop === 'halt') return", 'if (order.id < 0) return'),
  runner(
    'no buys at the last moment',
    "if (stop === 'reduce' && order.side === 'buy') return",
    'if (order.id < 0) return',
  ),
  runner('stops that are not durable yet', "if (command.kind === 'setStop') this.#hasty.push(command)", ''),
  runner(
    'stops of the user hold everywhere',
    "hasty.level === 'user' || hasty.code === order.code",
    'hasty.code === order.code',
  ),
  runner('stops of a stock hold there only', "hasty.level === 'user' || hasty.code === order.code", 'true'),
  runner(
    'what a person cancelled',
    'if (this.#account.view.unwanted.has(order.id)) return',
    'if (order.id < 0) return',
  ),
  runner('what was given up as lost', "status === 'intended' ? null", "status !== 'filled' ? null"),
  runner('durable before it is sent', 'await this.#world.committer.commit(', 'void this.#world.committer.commit('),
  runner('a failed commit is not believed', '    this.#stale = true\n', ''),
  runner(
    'a failed commit is not tried at once',
    'this.#failures += 1\n    this.#failingSince',
    'this.#failures = 0\n    this.#failingSince',
  ),
  runner(
    'who was told no is not done later',
    "    this.#queue = this.#queue.filter((one) => one.kind !== 'command')\n",
    '',
  ),

  clock('the machine does not set it', 'Math.floor(this.#base + this.#even())', 'Math.floor(Date.now())'),
  clock('rounding is no difference', 'if (Math.abs(off) <= TOLERANCE_MS) {', 'if (off === 0) {'),
  clock('one word is not enough', 'before === null || Math.abs(before.off - off) > ALIKE_MS', 'before === undefined'),
  clock('a burst is not enough', 'at - before.at < APART_MS || ', ''),
  clock('not again and again', ' || at - this.#setAt < SET_APART_MS', ''),
  clock('words that say nothing', '    if (!Number.isFinite(off)) return\n', ''),

  broken('a full disk', "if (DISK.has(code)) return 'disk'", ''),
  broken('an engine in pieces', 'INSIDE.has(code) || ', ''),
  broken('a panic', " || fields.includes('VPANIC')", ''),
]
