import { createElement } from 'react'
import { withProgress } from '../../../api/progress.ts'
import { ask } from '../../../ask/ask.ts'
import type { BoughtStock } from './BuyButtons.tsx'

/** The sheet before a buy: for an amount, what is bought and what it may cost. It buys by its own button. */
export async function openBuy(stock: BoughtStock): Promise<void> {
  const module = await withProgress(() => import('./BuySheet.tsx')).catch(() => null)
  if (module === null) {
    await ask.alert('화면을 가져오지 못했습니다. 서버 연결을 확인하고 다시 눌러 주세요.')
    return
  }
  const { BuySheet } = module
  await ask.panel((close) => createElement(BuySheet, { stock, onClose: close }))
}
