import { Refused } from '@digger/contract'
import { addDays, type AccountCommand, type Book, type BrokerSnapshot } from '@digger/core'
import { type Command } from '../accounts.ts'
import { messageOf } from '@digger/kis'
import type { EffectRunner } from './effect-runner.ts'

/** Adds what the account must know from the broker before it can decide: its lists, or the shares cash can buy. */
export async function commandFor(command: Command, effects: EffectRunner | null, book: Book): Promise<AccountCommand> {
  switch (command.kind) {
    case 'checkBalance':
    case 'fixBalance':
    case 'adjustStock':
    case 'giveUpExpected':
      return { ...command, snapshot: await completeSnapshot(effects, daysOf(book), command.code) }
    case 'marketBuy': {
      const { amount: cash, askedAt } = await cashToday(effects, command.code)
      return { ...command, cash, askedAt }
    }
    case 'dismissOtherServer':
      return { ...command, connected: effects?.broker.socket.state === 'connected' }
    default:
      return command
  }
}

/** What runs on the account's broker. Refuses where the key is not open. */
export function openedBy<Running>(effects: Running | null): Running {
  if (effects === null) throw new Refused('NEED_USERKEY', '증권사 키가 없습니다. 다시 로그인하면 열립니다.')
  return effects
}

/** Won that may be spent without credit, as the broker says now, and when the question left. Refuses with why it was not asked. */
export async function cashToday(effects: Pick<EffectRunner, 'cash'> | null, code: string) {
  const opened = openedBy(effects)
  try {
    return await opened.cash(code)
  } catch (error) {
    throw new Refused('BROKER_UNREACHABLE', `증권사에 매수 가능 금액을 묻지 못했습니다: ${messageOf(error)}`)
  }
}

/** An order made just before midnight is in yesterday's list. */
const daysOf = (book: Book): { from: string; to: string } => ({ from: addDays(book.day, -7), to: book.day })

async function completeSnapshot(
  effects: EffectRunner | null,
  { from, to }: { from: string; to: string },
  code: string | null,
): Promise<BrokerSnapshot> {
  const { lists } = openedBy(effects)
  let snapshot: BrokerSnapshot
  try {
    snapshot = await lists.check(from, to, code)
  } catch (error) {
    throw new Refused('BROKER_UNREACHABLE', `증권사 기록을 끝까지 읽지 못했습니다: ${messageOf(error)}`)
  }
  if (snapshot.balance === null)
    throw new Refused('BUSY', '체결이 이어지는 중이라 비교할 수 없습니다. 잠시 뒤 다시 해 주세요.')
  return snapshot
}
