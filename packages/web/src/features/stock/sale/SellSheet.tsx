import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueryClient } from '../../../api/read.ts'
import { Tag } from '../../../components/Badge.tsx'
import { IconButton } from '../../../components/Button.tsx'
import { Modal } from '../../../components/Modal.tsx'
import { SaleButtons, type SheetProps } from './SaleButtons.tsx'
import { QuotedPrice } from './QuotedPrice.tsx'
import { SaleFields } from './SaleFields.tsx'
import { SaleResult } from './SaleResult.tsx'
import { draftProblem, initialDraft, queryOf, type Sale } from './saleForm.ts'
import css from './SellSheet.module.css'
import { useSaleQuote } from './useSaleQuote.ts'

/** As the row of the menu it came from. */
const titleOf = ({ how, trade }: Sale): string => {
  if (how === 'price') return '지정가 매도'
  return trade === undefined ? '시장가 매도' : how === 'current' ? '매도 (현재가)' : '매도 (시장가)'
}

/** Dialogs stand beside the pages and have none of their caches; what is quoted is worth nothing to them. */
export function SellSheet(props: SheetProps) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Sheet {...props} />
    </QueryClientProvider>
  )
}

/** Asks for price and shares of a sale and says what would come of it; its button sells. What was typed stays after a refusal. */
function Sheet({ sale, onClose, onTried }: SheetProps) {
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
            {title} <Tag text={quote?.exchangeCode ?? (stock.nxt ? 'NXT' : 'KRX')} tone="plain" />
          </h2>
          {/* First, so that it has the focus: a habitual Enter must sell nothing. */}
          <IconButton icon="close" label={`${title} 닫기`} onClick={onClose} />
        </header>
        <div className={css['body']}>
          <QuotedPrice
            stock={stock}
            price={how === 'price' ? undefined : (quote?.price ?? stock.price)}
            ageMs={quote?.priceAgeMs ?? null}
          />
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
