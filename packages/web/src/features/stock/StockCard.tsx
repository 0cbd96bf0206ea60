import type { Stock } from '@digger/contract'
import { memo, type ReactNode } from 'react'
import { Badge, Tag } from '../../components/Badge.tsx'
import { Card, CardButton } from '../../components/Card.tsx'
import { Signed } from '../../components/Signed.tsx'
import { showDay } from '../../format/day.ts'
import { gainOf, gainRatioOf } from '../../format/gain.ts'
import { number, won } from '../../format/won.ts'
import { announcedName } from './announced.ts'
import { FrozenBadge } from './FrozenBadge.tsx'
import { PriceAge } from './PriceAge.tsx'
import { mainReason } from './reasons.ts'
import css from './StockCard.module.css'
import { averagePriceOf, averageTargetOf } from './target.ts'

export type BadgeName = 'priceSubscribed' | 'autoBuy' | 'autoSell' | 'recoverLastBuyPrice'

interface Props {
  stock: Stock
  withSavedGain: boolean
  showDetail: boolean
  /** Opens the card's menu; without it the card is no button. */
  onOpen?: ((stock: Stock) => void) | undefined
  onToggle?: ((stock: Stock, badge: BadgeName, on: boolean) => void) | undefined
}

/** One stock. Rendered anew only when its own object changes. */
export const StockCard = memo(function StockCard({ stock, withSavedGain, showDetail, onOpen, onToggle }: Props) {
  return (
    <Card label={stock.name} className={css['card']}>
      <header className={css['head']}>
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
          {stock.code} <Tag text={stock.nxt ? 'NXT' : 'KRX'} tone="plain" />
        </span>
        <strong className={css['ratio']}>
          <Signed value={gainRatioOf(stock)} unit="percent" mark />
        </strong>
      </header>
      {onOpen && stock.frozen && <FrozenBadge stock={stock} />}
      <Figures stock={stock} withSavedGain={withSavedGain} />
      {showDetail && <Detail stock={stock} />}
      <Why stock={stock} />
      <Badges stock={stock} showDetail={showDetail} onToggle={onToggle} />
    </Card>
  )
})

function Figures({ stock, withSavedGain }: { stock: Stock; withSavedGain: boolean }) {
  return (
    <>
      <p className={css['now']}>
        <span>
          {number(stock.remainCount)}주 × {won(stock.price)}
          <PriceAge stock={stock} />
        </span>
        <span>
          <span className="unseen">손익 </span>
          <Signed value={gainOf(stock)} />
        </span>
      </p>
      <dl className={css['figures']}>
        <Figure name="보유 금액">{won(stock.remainAmount)}</Figure>
        <Figure name="평균 단가">{won(averagePriceOf(stock))}</Figure>
        {stock.autoSellWithAvgPrice && <Figure name="목표가">{won(averageTargetOf(stock, stock))}</Figure>}
        {stock.kept > 0 && <Figure name="직접 관리">{number(stock.kept)}주</Figure>}
        {stock.expected && (
          <Figure name="받을 주식">{`${number(stock.expected.count)}주 (${won(stock.expected.amount)})`}</Figure>
        )}
        {stock.announced && (
          <Figure name="예정">{`${showDay(stock.announced.day)} ${announcedName(stock.announced)}`}</Figure>
        )}
        {withSavedGain && (
          <Figure name="누적 손익">
            <Signed value={stock.accGainAmount} />
          </Figure>
        )}
      </dl>
    </>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

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
            <abbr title={meaning}>{letter}</abbr>
          </dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** One line: why the stock was or was not bought last. What Digger itself holds back comes first. */
function Why({ stock }: { stock: Stock }) {
  if (stock.blocked !== null) return <p className={css['blocked']}>{stock.blocked}</p>
  if (stock.stop !== 'active')
    return (
      <p className={css['blocked']}>
        {stock.stop === 'halt' ? '이 종목은 모두 멈춤입니다.' : '이 종목은 매수 멈춤입니다.'}
      </p>
    )
  const reason = mainReason(stock.reasons)
  return (
    reason && (
      <p className={css['why']}>
        <b>{reason.ok ? '왜 샀나' : '왜 안 샀나'}</b> {reason.text}
      </p>
    )
  )
}

function Badges({ stock, showDetail, onToggle }: Pick<Props, 'stock' | 'showDetail' | 'onToggle'>) {
  const badges = [
    ['priceSubscribed', 'WATCH', '시세 구독'],
    ['autoBuy', 'BUY', '자동 매수'],
    ['autoSell', 'SELL', '자동 매도'],
    ...(showDetail ? ([['recoverLastBuyPrice', 'REC', '매수 기준 되돌리기']] as const) : []),
  ] as const
  return (
    <div className={css['badges']} data-switch={onToggle !== undefined}>
      {badges.map(([name, label, meaning]) => (
        <Badge
          key={name}
          label={label}
          meaning={meaning}
          on={stock[name]}
          onToggle={onToggle && ((on) => onToggle(stock, name, on))}
        />
      ))}
    </div>
  )
}
