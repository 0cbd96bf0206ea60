import type { AccountCommand } from '@digger/core'
import type { Clock } from '@digger/database'
import type { Command, CommandDone } from '../accounts.ts'
import { AnswerLimit } from './answer-limit.ts'
import { commandFor } from './command-input.ts'
import type { ConnectedAccount } from './connected-account.ts'

const WITHOUT_BROKER = new Set<Command['kind']>([
  'updateStock',
  'deleteStock',
  'setSubscribed',
  'setStop',
  'setLimits',
  'setVenues',
  'dismissOtherServer',
  'keepStock',
  'keepShares',
  'releaseLots',
])

export const needsBroker = (command: Command): boolean => !WITHOUT_BROKER.has(command.kind)

/** From what a person asked of one account to the answer, which comes within a bounded time. */
export async function carryOut(account: ConnectedAccount, command: Command, clock: Clock): Promise<CommandDone> {
  const limit = new AnswerLimit(clock)
  try {
    const whole = await limit.preparation(commandFor(command, account.effects, account.mailbox.book))
    return await limit.outcome(decide(account, command, whole))
  } finally {
    limit.end()
  }
}

async function decide(
  { mailbox, outcomes }: ConnectedAccount,
  command: Command,
  whole: AccountCommand,
): Promise<CommandDone> {
  const before = mailbox.book
  const answer = await mailbox.ask(whole)
  await outcomes.settled(before, mailbox.book, command, answer)
  return { differences: answer.differences }
}
