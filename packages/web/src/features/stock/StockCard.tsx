import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { Tag } from '../../components/Badge.tsx'
import { Card, CardButton } from '../../components/Card.tsx'
import { Signed } from '../../components/Signed.tsx'
import { gainRatioOf } from '../../format/gain.ts'
import { number } from '../../format/won.ts'
import { CardBadges } from './CardBadges.tsx'
import { CardFigures } from './CardFigures.tsx'
import { CardNote } from './CardNote.tsx'
import type { BadgeName } from './savingBadges.ts'
import css from './StockCard.module.css'
import { StatusTags } from './StatusTags.tsx'

interface Props {
  stock: Stock
  withSavedGain: boolean
  showDetail: boolean
  /** Opens the card's menu; without it the card is no button. */
  onOpen?: ((stock: Stock) => void) | undefined
  onToggle?: ((stock: Stock, badge: BadgeName, on: boolean) => void) | undefined
  onStop?: ((stock: Stock) => void) | undefined
}

/** One stock. Rendered anew only when its own object changes. */
export const StockCard = memo(function StockCard({
  stock,
  withSavedGain,
  showDetail,
  onOpen,
  onToggle,
  onStop,
}: Props) {
  return (
    <Card label={stock.name} className={css['card']}>
      <header className={css['head']}>
        <div className={css['names']}>
          <h2>
            {onOpen ? (
              <CardButton className={css['open']} onClick={() => onOpen(stock)}>
                {stock.name}
              </CardButton>
            ) : (
              stock.name
            )}
          </h2>
          <span className={css['code']}>
            {stock.code} <Tag text={stock.nxt ? 'NXT' : 'KRX'} tone="plain" />{' '}
            {stock.shadow && <Tag text="그림자" tone="blue" />}
          </span>
        </div>
        <strong className={css['ratio']}>
          <Signed value={gainRatioOf(stock)} unit="percent" mark />
        </strong>
      </header>
      <StatusTags name={stock.name} statuses={stock.statuses} statusesAt={stock.statusesAt} />
      <CardFigures stock={stock} withSavedGain={withSavedGain} />
      {showDetail && <Detail stock={stock} />}
      <CardBadges stock={stock} showDetail={showDetail} onToggle={onToggle} onStop={onStop} />
      <CardNote stock={stock} hasLink={onOpen !== undefined} />
    </Card>
  )
})

function Detail({ stock }: { stock: Stock }) {
  const facts = [
    ['M', '최고 매수가', stock.maxBuyPrice],
    ['L', '마지막 매수가', stock.lastBuyPrice],
    ['U', '1회 매수 금액', stock.buyUnitPrice],
    ['A', '최대 매수 금액', stock.maxBuyAmount],
  ] as const
  return (
    <dl className={css['detail']}>
      {facts.map(([letter, meaning, value]) => (
        <div key={letter}>
          <dt>
            <b>{letter}</b> {meaning}
          </dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
