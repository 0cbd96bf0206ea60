import { useState } from 'react'
import { ask } from '../../../ask/ask.ts'
import { Button } from '../../../components/Button.tsx'
import { useOldPrice } from '../quotes/oldPrice.ts'
import { RehearsalNote } from '../quotes/RehearsalNote.tsx'
import { useIsSettled } from '../quotes/useIsSettled.ts'
import { buttonText, type QuoteQuery, type Sale } from './saleForm.ts'
import css from './SellSheet.module.css'
import { sendSale } from './sendSale.ts'
import { sentText } from './sentText.ts'
import type { Quoted } from './useSaleQuote.ts'

export interface SheetProps {
  sale: Sale
  onClose: () => void
  /** Also after a refusal: of a sale in several orders some may have been placed. */
  onTried: (() => void) | undefined
}

interface ButtonsProps extends SheetProps {
  query: QuoteQuery | null
  quoted: Quoted
  /** What is wrong with what is typed. */
  wrong: string | null
}

/** The button sells what the last answer says, and only while it answers what is typed; else there is the reason. */
export function SaleButtons({
  sale,
  query,
  quoted: { quote, isCurrent, problem },
  wrong,
  onClose,
  onTried,
}: ButtonsProps) {
  const [busy, setBusy] = useState(false)
  const isSettled = useIsSettled()
  // Of a price that is typed its person decides.
  const old = useOldPrice(sale.how === 'price' ? undefined : quote)
  const refusal = wrong ?? problem?.message ?? (isCurrent ? (quote?.refusal ?? null) : null)
  const isReady = isSettled && isCurrent && refusal === null && quote?.orders.length !== 0
  const sell = async () => {
    if (busy || query === null || !old.mayGoOn()) return
    setBusy(true)
    const reply = await sendSale(sale, query, quote?.price ?? null)
    setBusy(false)
    if (reply) onClose()
    onTried?.()
    if (reply) await ask.alert('done', sentText(reply))
  }
  return (
    <footer className={css['foot']}>
      <RehearsalNote quote={quote} real="수량과 손익은 실제 보유로 셈한 것입니다." />
      <output className={css['wrong']}>{refusal ?? old.question}</output>
      <div className={css['buttons']}>
        <Button onClick={onClose}>닫기</Button>
        <Button look={sale.how === 'price' ? 'main' : 'danger'} disabled={busy || !isReady} onClick={() => void sell()}>
          {quote === undefined ? '매도' : buttonText(sale.how, quote)}
        </Button>
      </div>
    </footer>
  )
}
