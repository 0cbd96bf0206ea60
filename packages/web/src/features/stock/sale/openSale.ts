import { createElement } from 'react'
import { withProgress } from '../../../api/progress.ts'
import { ask } from '../../../ask/ask.ts'
import type { Sale } from './saleForm.ts'

const load = () => import('./SellSheet.tsx')

/** Fetches the code of the sheet; whoever opens it reports a failure. */
export const prefetchSellSheet = (): void => void load().catch(() => undefined)

/** The sheet before a sale: what is sold, at which price, and what stays of it. It sells by its own button; then, and after a refusal, `onTried` runs. */
export async function openSale(sale: Sale, onTried?: () => void): Promise<void> {
  const module = await withProgress(load).catch(() => null)
  if (module === null) {
    await ask.alert('화면을 가져오지 못했습니다. 서버 연결을 확인하고 다시 눌러 주세요.')
    return
  }
  const { SellSheet } = module
  await ask.panel((close) => createElement(SellSheet, { sale, onClose: close, onTried }))
}
