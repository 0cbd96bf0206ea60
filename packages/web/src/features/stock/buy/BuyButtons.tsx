import type { BuyQuote, Stock } from '@digger/contract'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { useOldPrice } from '../quotes/oldPrice.ts'
import { RehearsalNote } from '../quotes/RehearsalNote.tsx'
import { useIsSettled } from '../quotes/useIsSettled.ts'
import type { Quoted } from '../quotes/useTypedQuote.ts'
import css from '../sale/SellSheet.module.css'
import { buyButtonText, type BuyQuery } from './buyForm.ts'
import { sendBuy } from './sendBuy.ts'

export type BoughtStock = Pick<Stock, 'userId' | 'code' | 'name' | 'price' | 'statuses' | 'statusesAt'>

export interface SheetProps {
  stock: BoughtStock
  onClose: () => void
}

interface ButtonsProps extends SheetProps {
  query: BuyQuery | null
  quoted: Quoted<BuyQuote>
  /** What is wrong with what is typed. */
  wrong: string | null
}

/** The button buys what the last answer says, and only while it answers what is typed; else there is the reason. */
export function BuyButtons({ stock, query, quoted: { quote, isCurrent, problem }, wrong, onClose }: ButtonsProps) {
  const [busy, setBusy] = useState(false)
  const isSettled = useIsSettled()
  const old = useOldPrice(quote)
  const refusal = wrong ?? problem?.message ?? (isCurrent ? (quote?.refusal ?? null) : null)
  const isReady = isSettled && query !== null && isCurrent && refusal === null && quote !== undefined && quote.qty > 0
  const buy = async () => {
    if (busy || query === null || quote === undefined || !old.mayGoOn()) return
    setBusy(true)
    const isSent = await sendBuy(stock, query, quote, onClose)
    if (!isSent) setBusy(false)
  }
  return (
    <footer className={css['foot']}>
      <RehearsalNote quote={quote} real="보이는 현금은 실제 계좌의 것이라, 연습으로 이미 쓴 돈은 빠져 있지 않습니다." />
      <output className={css['wrong']}>{refusal ?? old.question}</output>
      <div className={css['buttons']}>
        <Button onClick={onClose}>닫기</Button>
        <Button look="danger" disabled={busy || !isReady} onClick={() => void buy()}>
          {quote === undefined || query === null ? '매수' : buyButtonText(quote)}
        </Button>
      </div>
    </footer>
  )
}
