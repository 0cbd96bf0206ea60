import type { AwaitedShares, Stock } from '@digger/contract'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/send.ts'
import { invalidateStock, putStocks } from '../../../api/stockCache.ts'
import { ask } from '../../../ask/ask.ts'
import { givenUpText } from './awaited.ts'

interface GivingUp {
  readonly client: QueryClient
  /** Of the page: an id, or `user`. */
  readonly userId: string
  readonly stock: Stock
  readonly awaited: AwaitedShares
}

/** New shares never come: what was kept for them goes where the question says. */
export async function giveUp({ client, userId, stock, awaited }: GivingUp): Promise<void> {
  const question = `${stock.name}의 받을 주식을 더 기다리지 않을까요?`
  if (!(await ask.confirm(question, { note: givenUpText(stock, awaited), yes: '기다리지 않기', danger: true }))) return
  const left = await send('giveUpExpected', { params: { userId, code: stock.code }, body: awaited })
  // What was refused may be newer than what the page shows.
  if (left === null) return invalidateStock(client, stock.code)
  putStocks(client, userId, [left])
  await ask.alert('done', '받을 주식을 더 기다리지 않습니다.')
}
