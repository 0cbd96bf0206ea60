import type { Adjustment } from '@digger/contract'
import { Table } from '../../../components/Table.tsx'
import { stamp } from '../../../format/time.ts'
import { number, won } from '../../../format/won.ts'
import { outcomeTexts, priceChanges, sharesOf } from './adjustment.ts'
import css from './FrozenPanel.module.css'

/** What an adjustment would change, old beside new. */
export function AdjustmentTable({ adjustment }: { adjustment: Adjustment }) {
  const shares = sharesOf(adjustment)
  const prices = priceChanges(adjustment).map(({ name, before, after }) => ({
    key: name,
    cells: [name, won(before), won(after)],
  }))
  const lots = adjustment.lots.map(({ id, buyDateTime, count, buyPrice }) => ({
    key: String(id),
    cells: [
      `${stamp(buyDateTime)} 매수`,
      lotText(count.before, buyPrice.before),
      count.after === 0 ? '없음' : lotText(count.after, buyPrice.after),
    ],
  }))
  const sum = { key: 'sum', cells: ['보유 합계', `${number(shares.before)}주`, `${number(shares.after)}주`] }
  return (
    <>
      <Table
        caption="조정하면 바뀌는 값"
        head={['바뀌는 값', '지금', '조정한 뒤']}
        rows={[...prices, ...lots, ...(lots.length === 0 ? [] : [sum])]}
      />
      <ul className={css['outcome']}>
        {outcomeTexts(adjustment).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  )
}

const lotText = (count: number, price: number | null): string => `${number(count)}주 × ${number(price)}`
