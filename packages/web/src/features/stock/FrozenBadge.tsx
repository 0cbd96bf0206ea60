import type { Stock } from '@digger/contract'
import { Link, useLocation } from 'wouter'
import { Tag } from '../../components/Badge.tsx'
import css from './StockCard.module.css'
import { linkUserOf } from './stockMenu.ts'

/** On the card of a stock whose base price moved: the way to where its person settles it. */
export function FrozenBadge({ stock }: { stock: Stock }) {
  const [path] = useLocation()
  return (
    <Link className={css['frozen']} href={`/${linkUserOf(path, stock.userId)}/stock/${stock.code}/trade`}>
      <Tag text="기준가 변동" tone="red" /> 조정할지 정하기
    </Link>
  )
}
