import type { Stock } from '@digger/contract'
import { withParticle } from '@digger/core'
import type { QueryClient } from '@tanstack/react-query'
import { offerUndo } from '../../ask/undo.ts'
import { whileSaving, type BadgeName } from './savingBadges.ts'
import { saveStock, subscribe } from './saveStock.ts'

const MEANINGS: Readonly<Record<BadgeName, string>> = {
  priceSubscribed: '시세 구독',
  autoBuy: '자동 매수',
  autoSell: '자동 매도',
  recoverLastBuyPrice: '매수 기준 되돌리기',
}

const doneText = ({ name }: Stock, badge: BadgeName, on: boolean): string =>
  `${name}: ${withParticle(MEANINGS[badge], '을')} ${on ? '켰습니다' : '껐습니다'}.`

/** At once on the screen, and the way back for a moment. */
export async function switchWatch(client: QueryClient, stock: Stock, on: boolean): Promise<void> {
  offerUndo(
    doneText(stock, 'priceSubscribed', on),
    () => void subscribe(client, { ...stock, priceSubscribed: on }),
    subscribe(client, stock),
  )
}

/** What decides about trading changes its colour only when it is saved; until then it says that it is being saved. */
export async function switchSetting(
  client: QueryClient,
  stock: Stock,
  badge: Exclude<BadgeName, 'priceSubscribed'>,
  on: boolean,
): Promise<void> {
  const save = (seen: Stock, value: boolean) =>
    whileSaving(stock, badge, () => saveStock(client, seen, { [badge]: value }))
  const saved = await save(stock, on)
  if (saved) offerUndo(doneText(stock, badge, on), () => void save(saved, !on))
}
