import type { LiveOrders, Reply } from '@digger/contract'
import { isLive, type Order } from '@digger/core'
import type { Accounts, CommandKey } from '@digger/engine'

type Stopping = Pick<Accounts, 'ask' | 'book' | 'strangers' | 'unlocked'>

const liveOf = (accounts: Stopping, userId: string): Order[] =>
  [...accounts.book(userId).orders.values()].filter(({ status }) => isLive(status))

/** Orders of an account that rest or are on their way, by whose they are. */
export function liveOrders(accounts: Stopping, userId: string): LiveOrders {
  const orders = liveOf(accounts, userId)
  const own = orders.filter(({ origin }) => origin === 'person').length
  return { automatic: orders.length - own, own, elsewhere: accounts.strangers(userId).length }
}

/** Nothing new leaves, and what rests is cancelled; `own`: also what a person ordered by hand. Throws Refused where it is not written. */
export async function stopAll(
  accounts: Stopping,
  userId: string,
  { own }: { readonly own: boolean },
  key?: CommandKey,
): Promise<Reply<'stopAll'>> {
  const before = liveOf(accounts, userId).filter(({ origin }) => own || origin === 'auto')
  await accounts.ask(userId, { kind: 'stopAll', own }, key)
  const now = new Set(liveOf(accounts, userId).map(({ id }) => id))
  const cancelled = before.filter(({ id }) => !now.has(id)).length
  const left = liveOrders(accounts, userId)
  const rest = restOf(before.length - cancelled, accounts.unlocked(userId))
  return { message: sentenceOf(cancelled, rest, left, own), cancelled, left }
}

/** What becomes of orders that are not cancelled yet: without its key nothing can be sent for the account. */
function restOf(count: number, unlocked: boolean): readonly string[] {
  if (count === 0) return []
  if (unlocked) return [`주문 ${count}건은 아직 남아 있어 끝날 때까지 취소를 다시 보냅니다.`]
  return [
    `주문 ${count}건은 키가 열려 있지 않아 취소하지 못했습니다. 증권사 앱에서 취소해 주세요. 로그인해 키가 열리면 그때 취소합니다.`,
  ]
}

function sentenceOf(
  cancelled: number,
  rest: readonly string[],
  { own, elsewhere }: LiveOrders,
  withOwn: boolean,
): string {
  return [
    '모두 멈췄습니다.',
    ...(cancelled > 0 ? [`주문 ${cancelled}건을 취소했습니다.`] : []),
    ...rest,
    ...(own > 0 && !withOwn ? [`직접 낸 주문 ${own}건은 그대로 두었습니다.`] : []),
    ...(elsewhere > 0 ? [`증권사 앱 등에서 낸 주문 ${elsewhere}건은 증권사 앱에서 취소해 주세요.`] : []),
  ].join(' ')
}
