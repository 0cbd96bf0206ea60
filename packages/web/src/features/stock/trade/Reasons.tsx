import type { Stock } from '@digger/contract'
import { Panel } from '../../../components/Panel.tsx'
import { reasonTitle } from '../../../format/reasonTitle.ts'
import { reasonText } from '../reasons.ts'
import css from './Reasons.module.css'

/** Everything the last decision said, both ways. */
export function Reasons({ stock }: { stock: Stock }) {
  if (stock.reasons.length === 0 && stock.blocked === null) return null
  // It stands above them already.
  const reasons = stock.reasons.filter(({ side, text }) => side === 'sell' || text !== stock.blocked)
  return (
    <Panel label="판단 이유">
      <h2>왜 샀나, 왜 안 샀나</h2>
      {stock.blocked !== null && <p className={css['blocked']}>{stock.blocked}</p>}
      <ul className={css['reasons']}>
        {reasons.map((reason) => (
          <li key={`${reason.side} ${reason.code} ${reason.text}`}>
            <b data-ok={reason.ok}>{reasonTitle(reason)}</b> {reasonText(reason, stock)}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
