import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { isSameBesidePrice } from './besidePrice.ts'
import css from './StockCard.module.css'
import { useSavingBadges, type BadgeName } from './savingBadges.ts'

interface Props {
  stock: Stock
  showDetail: boolean
  onToggle?: ((stock: Stock, badge: BadgeName, on: boolean) => void) | undefined
  onStop?: ((stock: Stock) => void) | undefined
}

/** The specification's word of each, and what it means. */
const BADGES = [
  ['priceSubscribed', 'WATCH', '시세', '시세 구독'],
  ['autoBuy', 'BUY', '자동매수', '자동 매수'],
  ['autoSell', 'SELL', '자동매도', '자동 매도'],
  ['recoverLastBuyPrice', 'REC', '되돌리기', '매수 기준 되돌리기'],
] as const

export const CardBadges = memo(function CardBadges({ stock, showDetail, onToggle, onStop }: Props) {
  const saving = useSavingBadges(stock)
  const stopWord = stock.stop === 'active' ? '멈추기' : '멈춤 바꾸기'
  return (
    <div className={css['badges']}>
      {BADGES.slice(0, showDetail ? 4 : 3).map(([name, label, word, meaning]) => (
        <Badge
          key={name}
          label={label}
          word={word}
          meaning={meaning}
          on={stock[name]}
          busy={saving.includes(name)}
          onToggle={onToggle && ((on) => onToggle(stock, name, on))}
        />
      ))}
      {onStop && (
        <button
          type="button"
          className={css['stop']}
          aria-haspopup="dialog"
          aria-label={`${stock.name} ${stopWord}`}
          onClick={() => onStop(stock)}
        >
          {stopWord}
        </button>
      )}
    </div>
  )
}, isSameBesidePrice)
