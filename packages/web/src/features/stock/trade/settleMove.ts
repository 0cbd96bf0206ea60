import type { Adjustment, BaseMove, Stock } from '@digger/contract'
import { withParticle } from '@digger/core'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/send.ts'
import { invalidateStock, putStocks } from '../../../api/stockCache.ts'
import { ask } from '../../../ask/ask.ts'
import { changeText } from './adjustment.ts'

interface Settling {
  readonly client: QueryClient
  /** Of the page: an id, or `user`. */
  readonly userId: string
  readonly stock: Stock
  readonly move: BaseMove
}

interface Settled {
  readonly day: string
  readonly how: 'adjust' | 'keep'
  readonly base: number
  /** Of the stock in the preview. */
  readonly version?: number
  /** Shares at the broker in the preview. */
  readonly held?: number
}

/** Prices and lots follow the move, as the preview says. */
export async function adjust(settling: Settling, preview: Adjustment): Promise<void> {
  const question = `${withParticle(settling.stock.name, '을')} 바뀐 기준가에 맞춰 조정할까요?`
  const note = `${changeText(preview)}. 되돌릴 수 없습니다. 조정하면 자동 매매를 다시 시작합니다.`
  if (await ask.confirm(question, { note, yes: '조정', danger: true }))
    await settle(settling, {
      day: preview.move.day,
      how: 'adjust',
      base: preview.move.base,
      version: preview.version,
      held: preview.held,
    })
}

/** They stay as they are. */
export async function keep(settling: Settling): Promise<void> {
  const question = `${withParticle(settling.stock.name, '을')} 조정하지 않고 그대로 둘까요?`
  const note =
    '설정과 매매를 지금 그대로 두고 자동 매매를 다시 시작합니다. 기준가가 크게 내렸으면 바로 사고, 크게 올랐으면 바로 팔 수 있습니다.'
  if (await ask.confirm(question, { note, yes: '그대로 두기', danger: true }))
    await settle(settling, { day: settling.move.day, how: 'keep', base: settling.move.base })
}

async function settle({ client, userId, stock }: Settling, body: Settled): Promise<void> {
  const settled = await send('adjustStock', { params: { userId, code: stock.code }, body })
  if (settled === null) {
    // What was refused may be newer than what the page shows.
    invalidateStock(client, stock.code)
    void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name === 'adjustment' })
    return
  }
  putStocks(client, userId, [settled])
  const outcome = body.how === 'adjust' ? '바뀐 기준가에 맞춰 조정했습니다.' : '그대로 두었습니다.'
  await ask.alert('done', `${outcome} 자동 매매를 다시 시작합니다.`)
}
