import type { SaleQuote } from '@digger/contract'
import type { ReactNode } from 'react'
import { Signed } from '../../../components/Signed.tsx'
import { signedWon } from '../../../format/won.ts'
import { amountText, figuresOf, type Sale, worstText } from './saleForm.ts'
import css from './SellSheet.module.css'

interface Props {
  sale: Sale
  quote: SaleQuote | undefined
  /** False while another answer is awaited: the figures are of what was asked before. */
  isCurrent: boolean
}

/** What the sale brings, what the shares cost, and what stays; net, and large. */
export function SaleResult({ sale: { how }, quote, isCurrent }: Props) {
  const figures = quote && figuresOf(quote)
  const { shares = 0, sold = null, bought = null, costs = null, net = null } = figures ?? {}
  return (
    <dl className={css['result']} data-current={isCurrent}>
      <Line name="팔 값">{amountText(shares, sold)}</Line>
      <Line name="산 값">{amountText(shares, bought)}</Line>
      <Line name="비용">{costs === null || shares === 0 ? '—' : signedWon(-costs)}</Line>
      <div className={css['net']}>
        <dt>팔리면 남는 손익</dt>
        <dd>
          {how === 'market' && net !== null && shares > 0 && <small>약 </small>}
          <Signed value={shares === 0 ? null : net} />
        </dd>
      </div>
      {how !== 'price' && (
        <p className={css['note']}>
          {how === 'market'
            ? `시장가라 팔리는 값이 달라질 수 있습니다. ${worstText(quote)}되돌릴 수 없습니다.`
            : '그사이 값이 내리면 팔리지 않고 주문으로 남습니다.'}
        </p>
      )}
    </dl>
  )
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
