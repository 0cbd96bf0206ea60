import type { BuyQuote } from '@digger/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { createQueryClient } from '../../../api/read.ts'
import { IconButton } from '../../../components/Button.tsx'
import { Field } from '../../../components/Field.tsx'
import { Modal } from '../../../components/Modal.tsx'
import { useTypedQuote } from '../quotes/useTypedQuote.ts'
import { QuotedPrice } from '../sale/QuotedPrice.tsx'
import css from '../sale/SellSheet.module.css'
import { BuyButtons, type SheetProps } from './BuyButtons.tsx'
import { amountProblem, amountText, buyQueryOf, type BuyQuery } from './buyForm.ts'
import { BuyResult } from './BuyResult.tsx'

/** Dialogs stand beside the pages and have none of their caches; what is quoted is worth nothing to them. */
export function BuySheet(props: SheetProps) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Sheet {...props} />
    </QueryClientProvider>
  )
}

/** Asks for an amount and says what would be sent for it, and what it may cost at worst; its button buys. */
function Sheet({ stock, onClose }: SheetProps) {
  const [amount, setAmount] = useState('')
  const params = { userId: stock.userId, code: stock.code }
  const query = buyQueryOf(amount)
  const quoted = useTypedQuote<BuyQuery, BuyQuote>({
    key: ['buyQuote', params],
    query,
    ask: (asked, signal) => call('buyQuote', { params, query: asked }, { signal, progress: false }),
  })
  const { quote, isCurrent } = quoted
  const title = `${stock.name} 시장가 매수`
  return (
    <Modal label={title} look="panel" onClose={onClose} persistent>
      <div className={css['sheet']}>
        <header className={css['head']}>
          <h2>{title}</h2>
          {/* First, so that it has the focus: a habitual Enter must buy nothing. */}
          <IconButton icon="close" label={`${title} 닫기`} onClick={onClose} />
        </header>
        <div className={css['body']}>
          <QuotedPrice stock={stock} price={quote?.lastPrice ?? stock.price} ageMs={quote?.priceAgeMs ?? null} />
          <Field
            label="금액"
            unit="만원"
            inputMode="numeric"
            autoComplete="off"
            grouped
            value={amount}
            onChange={setAmount}
            help={amountText(amount) || '만원 단위입니다. 100을 넣으면 1,000,000원어치를 삽니다.'}
          />
          <BuyResult quote={query === null ? undefined : quote} isCurrent={isCurrent} statuses={stock.statuses} />
        </div>
        <BuyButtons {...{ stock, query, quoted, onClose }} wrong={amount === '' ? null : amountProblem(amount)} />
      </div>
    </Modal>
  )
}
