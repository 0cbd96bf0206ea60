import type { Today } from '@digger/contract'
import { Link } from 'wouter'
import { Panel } from '../../components/Panel.tsx'
import { number, signedPercent, won } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './DayList.module.css'
import { uniqueKeys } from './uniqueKeys.ts'

type Waiting = Today['waiting'][number]

/** So many are read at a glance; the others unfold. */
const NEAREST = 8

/** What waits for its price, nearest first. */
export function WaitingList({ waiting, count }: { waiting: Today['waiting']; count: number }) {
  const rest = waiting.slice(NEAREST)
  return (
    <Panel label="기다리는 것">
      <header className={css['head']}>
        <h2>기다리는 것 {number(count)}</h2>
        <span>가까운 차례</span>
      </header>
      {count === 0 && <p className={css['none']}>기다리는 주문이 없습니다.</p>}
      <List waiting={waiting.slice(0, NEAREST)} />
      {rest.length > 0 && (
        <details className={css['rest']}>
          <summary>나머지 {number(rest.length)}건</summary>
          <List waiting={rest} />
        </details>
      )}
      {waiting.length < count && <p className={css['none']}>가까운 것부터 {number(waiting.length)}건입니다.</p>}
    </Panel>
  )
}

function List({ waiting }: { waiting: Today['waiting'] }) {
  const userId = usePathUser()
  const keys = uniqueKeys(waiting.map((one) => `${one.code} ${one.orderType} ${one.price} ${one.isOut}`))
  return (
    <ul className={css['list']}>
      {waiting.map((one, at) => (
        <li key={keys[at]} className={css['waiting']}>
          <div>
            <p>
              <Link href={`/${userId}/stock/${one.code}/trade`}>{one.name}</Link>{' '}
              {one.orderType === 'BUY' ? '사기' : '팔기'}
            </p>
            <p className={css['why']}>
              {won(one.price)} · {number(one.qty)}주{one.isOut && ' · 주문 나감'}
            </p>
          </div>
          <span>{wayText(one)}</span>
        </li>
      ))}
    </ul>
  )
}

/** `−1.3% 내리면`, `+0.3% 오르면`: how far the last price has to go. */
export function wayText({ orderType, price, currentPrice }: Pick<Waiting, 'orderType' | 'price' | 'currentPrice'>) {
  if (currentPrice === null) return '시세 없음'
  const isThere = orderType === 'BUY' ? currentPrice <= price : currentPrice >= price
  if (isThere) return '지금'
  const way = signedPercent((price / currentPrice - 1) * 100, 1)
  return `${way} ${orderType === 'BUY' ? '내리면' : '오르면'}`
}
