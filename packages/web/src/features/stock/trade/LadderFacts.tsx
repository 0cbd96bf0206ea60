import type { Stock, Trade } from '@digger/contract'
import { Link } from 'wouter'
import { Signed } from '../../../components/Signed.tsx'
import { stamp } from '../../../format/time.ts'
import { number, shortWon, withMinus, won } from '../../../format/won.ts'
import { usePathUser } from '../../../url/user.ts'
import { distanceText } from '../distance.ts'
import css from './LadderStairs.module.css'
import { amountOf, type Ladder } from '../ladderSteps.ts'

interface Props {
  stock: Stock
  ladder: Ladder
  trades: readonly Trade[]
}

/** The last sale among the trades shown, the next step, and where it ends. */
export function LadderFacts({ stock, ladder, trades }: Props) {
  const sold = lastSale(trades)
  const coming = ladder.steps.filter(({ kind }) => kind !== 'held')
  const [next, last] = [coming[0], coming.at(-1)]
  const shares = ladder.steps.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className={css['facts']}>
      {sold?.sellDateTime != null && (
        <li>
          <span>
            마지막 매도 <time dateTime={sold.sellDateTime}>{stamp(sold.sellDateTime).slice(3, 14)}</time> ·{' '}
            {number(sold.buyCount)}주
          </span>
          <b>
            <Signed value={sold.netGainAmount} />
          </b>
        </li>
      )}
      {next ? (
        <li>
          <span>
            <b>
              다음 {won(next.price)}에 {number(next.count)}주
            </b>
            <small>{won(next.price * next.count)}</small>
          </span>
          <b>{distanceText(stock.price, next.price)}</b>
        </li>
      ) : (
        <li>한도를 다 써서 더 사지 않습니다.</li>
      )}
      {last && (
        <li>
          <span>
            {ladder.usesCap ? '끝까지 내리면' : '반값이 되면'} {won(last.price)}까지 {number(coming.length)}번
            <small>
              모두 {number(shares)}주 · 평균 {won(Math.ceil(amountOf(ladder.steps) / shares))}
            </small>
          </span>
          <b>{shortWon(amountOf(ladder.steps))}</b>
        </li>
      )}
    </ul>
  )
}

/** Of the trades that are shown, the one sold last. */
const lastSale = (trades: readonly Trade[]): Trade | undefined =>
  trades
    .filter(({ sellDateTime }) => sellDateTime !== null)
    .toSorted((a, b) => Date.parse(b.sellDateTime ?? '') - Date.parse(a.sellDateTime ?? ''))[0]

/** How far apart the steps are; leads to the field where that is changed. */
export const StepLink = ({ stock: { code, buyPercent } }: { stock: Stock }) => (
  <Link className={css['step']} href={`/${usePathUser()}/stock/${code}/settings?field=buyPercent`}>
    {withMinus(number(buyPercent))}%마다 · 바꾸기
  </Link>
)
