import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createQueryClient } from '../../../api/read.ts'
import { ask } from '../../../ask/ask.ts'
import { Tag } from '../../../components/Badge.tsx'
import { Button, IconButton } from '../../../components/Button.tsx'
import { Modal } from '../../../components/Modal.tsx'
import { QuotedPrice } from './QuotedPrice.tsx'
import { SaleFields } from './SaleFields.tsx'
import { SaleResult } from './SaleResult.tsx'
import { buttonText, draftProblem, initialDraft, queryOf, type QuoteQuery, type Sale } from './saleForm.ts'
import css from './SellSheet.module.css'
import { sendSale } from './sendSale.ts'
import { sentText } from './sentText.ts'
import { useSaleQuote, type Quoted } from './useSaleQuote.ts'

interface Props {
  sale: Sale
  onClose: () => void
  /** Also after a refusal: of a sale in several orders some may have been placed. */
  onTried: (() => void) | undefined
}

/** As the row of the menu it came from. */
const titleOf = ({ how, trade }: Sale): string => {
  if (how === 'price') return '지정가 매도'
  return trade === undefined ? '시장가 매도' : how === 'current' ? '매도 (현재가)' : '매도 (시장가)'
}

/** Dialogs stand beside the pages and have none of their caches; what is quoted is worth nothing to them. */
export function SellSheet(props: Props) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Sheet {...props} />
    </QueryClientProvider>
  )
}

/** Asks for price and shares of a sale and says what would come of it; its button sells. What was typed stays after a refusal. */
function Sheet({ sale, onClose, onTried }: Props) {
  const { stock, how } = sale
  const [draft, setDraft] = useState(() => initialDraft(sale))
  const [free, setFree] = useState<number | null>(null)
  const query = queryOf(sale, draft, free)
  const quoted = useSaleQuote({ userId: stock.userId, code: stock.code }, query)
  const { quote, isCurrent } = quoted
  if (quote !== undefined && quote.free !== free) setFree(quote.free)
  const title = `${stock.name} ${titleOf(sale)}`
  return (
    <Modal label={title} look="panel" onClose={onClose} persistent>
      <div className={css['sheet']}>
        <header className={css['head']}>
          <h2>
            {title} <Tag text={stock.nxt ? 'NXT' : 'KRX'} tone="plain" />
          </h2>
          {/* First, so that it has the focus: a habitual Enter must sell nothing. */}
          <IconButton icon="close" label={`${title} 닫기`} onClick={onClose} />
        </header>
        <div className={css['body']}>
          <QuotedPrice stock={stock} price={how === 'price' ? undefined : (quote?.price ?? stock.price)} />
          <SaleFields sale={sale} draft={draft} onChange={setDraft} quote={quote} isCurrent={isCurrent} />
          <SaleResult sale={sale} quote={quote} isCurrent={isCurrent} />
        </div>
        <SaleButtons
          sale={sale}
          query={query}
          quoted={quoted}
          wrong={draftProblem(sale, draft)}
          {...{ onClose, onTried }}
        />
      </div>
    </Modal>
  )
}

interface ButtonsProps extends Props {
  query: QuoteQuery | null
  quoted: Quoted
  /** What is wrong with what is typed. */
  wrong: string | null
}

/** The button sells what the last answer says, and only while it answers what is typed; else there is the reason. */
function SaleButtons({ sale, query, quoted: { quote, isCurrent, problem }, wrong, onClose, onTried }: ButtonsProps) {
  const [busy, setBusy] = useState(false)
  const isSettled = useIsSettled()
  const refusal = wrong ?? problem?.message ?? (isCurrent ? (quote?.refusal ?? null) : null)
  const isReady = isSettled && isCurrent && refusal === null && quote?.orders.length !== 0
  const sell = async () => {
    if (busy || query === null) return
    setBusy(true)
    const reply = await sendSale(sale, query)
    setBusy(false)
    if (reply) onClose()
    onTried?.()
    if (reply) await ask.alert('done', sentText(reply))
  }
  return (
    <footer className={css['foot']}>
      <output className={css['wrong']}>{refusal}</output>
      <div className={css['buttons']}>
        <Button onClick={onClose}>닫기</Button>
        <Button look={sale.how === 'price' ? 'main' : 'danger'} disabled={busy || !isReady} onClick={() => void sell()}>
          {quote === undefined ? '매도' : buttonText(sale.how, quote)}
        </Button>
      </div>
    </footer>
  )
}

/** The second press of a double one on the menu below must not sell, ms. */
const DOUBLE_PRESS_MS = 500

function useIsSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setIsSettled, DOUBLE_PRESS_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isSettled
}
