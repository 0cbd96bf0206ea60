import { Refused } from '@digger/contract'
import type { Clock } from '@digger/database'
import type { Command, CommandDone, CommandKey } from '../accounts.ts'
import { AnswerLimit } from './answer-limit.ts'
import { commandFor, openedBy } from './command-input.ts'
import { namedOf, type Named } from './command-keys.ts'
import type { ConnectedAccount } from './connected-account.ts'
import type { Done } from './pending-commands.ts'

const WITHOUT_BROKER = new Set<Command['kind']>([
  'updateStock',
  'deleteStock',
  'setSubscribed',
  'setStop',
  'stopAll',
  'setLimits',
  'setVenues',
  'setShadow',
  'dismissOtherServer',
  'keepStock',
  'keepShares',
  'releaseLots',
])

interface Asked {
  readonly command: Command
  readonly named: Named | undefined
}

export const askedOf = (command: Command, key?: CommandKey): Asked => ({ command, named: namedOf(key, command) })

const hasAnswer = ({ mailbox }: ConnectedAccount, named: Named | undefined): named is Named =>
  named !== undefined && mailbox.commands.hasAnswer(named)

/** What was done before needs none any more. */
const needsBroker = (account: ConnectedAccount, { command, named }: Asked): boolean =>
  !WITHOUT_BROKER.has(command.kind) && !hasAnswer(account, named)

interface Around {
  /** Takes what is only rehearsed, and throws what its person is to hear. */
  readonly rehearsing: { take(userId: string, command: Command, limit: AnswerLimit): Promise<void> }
  readonly clock: Clock
}

/** From what a person asked of one account to the answer, which comes within a bounded time. */
export async function carryOut(
  account: ConnectedAccount,
  asked: Asked,
  { rehearsing, clock }: Around,
): Promise<CommandDone> {
  const limit = new AnswerLimit(clock)
  try {
    if (needsBroker(account, asked)) {
      openedBy(account.effects)
      await limit.preparation(account.ready)
    }
    await rehearsing.take(account.userId, asked.command, limit)
    return await carriedOut(account, asked, limit)
  } finally {
    limit.end()
  }
}

async function carriedOut(account: ConnectedAccount, asked: Asked, limit: AnswerLimit): Promise<CommandDone> {
  const { command, named } = asked
  const { effects, mailbox } = account
  if (hasAnswer(account, named)) return limit.outcome(settle(account, command, () => mailbox.commands.known(named)))
  const whole = await limit.preparation(commandFor(command, effects, mailbox.book))
  return limit.outcome(settle(account, command, () => mailbox.ask(whole, named)))
}

async function settle(
  { mailbox, outcomes }: ConnectedAccount,
  command: Command,
  ask: () => Promise<Done>,
): Promise<CommandDone> {
  const before = mailbox.book
  const answer = await ask()
  if (answer.orderIds.some((id) => !mailbox.book.orders.has(id))) throw new Refused('CONFLICT', OF_ANOTHER_DAY)
  await outcomes.settled(before, mailbox.book, command, answer)
  const orders = answer.orderIds.flatMap((id) => mailbox.book.orders.get(id) ?? [])
  return { differences: answer.differences, orders }
}

const OF_ANOTHER_DAY = '지난 날에 이미 받아 주문한 요청입니다. 결과는 체결 내역에서 확인해 주세요.'
