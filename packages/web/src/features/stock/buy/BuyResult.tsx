import type { BuyQuote } from '@digger/contract'
import type { IssueStatus } from '@digger/core'
import type { ReactNode } from 'react'
import { useNow } from '../../../clock/now.ts'
import { seenAt } from '../../../format/time.ts'
import css from '../sale/SellSheet.module.css'
import { buyNotes, cashLines, kindText, worstText } from './buyForm.ts'

interface Props {
  quote: BuyQuote | undefined
  /** False while another answer is awaited: the figures are of what was asked before. */
  isCurrent: boolean
  statuses: readonly IssueStatus[]
}

/** Where the order goes, as what, what it may cost, and what stays of the cash. */
export function BuyResult({ quote, isCurrent, statuses }: Props) {
  const askedAt = useNow((now) => (quote?.cashAt ? seenAt(quote.cashAt, now) : ''))
  const cashAt = askedAt === '' ? null : askedAt
  const cash = quote === undefined ? { now: '—', left: '—' } : cashLines(quote)
  return (
    <dl className={css['result']} data-current={isCurrent}>
      <Line name="거래소">{quote === undefined ? '—' : (quote.exchangeCode ?? '지금은 받는 곳이 없음')}</Line>
      <Line name="주문">{quote === undefined ? '—' : kindText(quote)}</Line>
      <Line name="많아야 드는 금액">{quote === undefined ? '—' : worstText(quote)}</Line>
      <Line name={cashAt === null ? '현금' : `현금 (${cashAt}에 물음)`}>{cash.now}</Line>
      <div className={css['net']}>
        <dt>사고 남는 현금, 적어도</dt>
        <dd>{cash.left}</dd>
      </div>
      {quote !== undefined &&
        buyNotes(quote, statuses, cashAt).map((note) => (
          <p key={note} className={css['note']}>
            {note}
          </p>
        ))}
    </dl>
  )
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
