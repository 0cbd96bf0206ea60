import type { Today } from '@digger/contract'
import { kstIso } from '@digger/core'
import { Link } from 'wouter'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { number, won } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './DayList.module.css'
import { uniqueKeys } from './uniqueKeys.ts'

type Done = Today['done'][number]

/** What was bought and sold, newest first: when, what, why, and what stays of a sale. */
export function DoneList({ done, count }: { done: Today['done']; count: number }) {
  const userId = usePathUser()
  const keys = uniqueKeys(done.map((one) => `${one.at} ${one.code} ${one.orderType} ${one.price} ${one.qty}`))
  return (
    <Panel label="한 일">
      <header className={css['head']}>
        <h2>한 일 {number(count)}</h2>
        <Link href={`/${userId}/kis/ordered`}>체결 내역</Link>
      </header>
      {count === 0 && <p className={css['none']}>오늘은 아직 사거나 판 것이 없습니다.</p>}
      <ul className={css['list']}>
        {done.map((one, at) => (
          <One key={keys[at]} done={one} />
        ))}
      </ul>
      {done.length < count && <p className={css['none']}>새 것부터 {number(done.length)}건입니다.</p>}
    </Panel>
  )
}

function One({ done: { at, code, name, orderType, qty, price, amount, netGainAmount, auto, why } }: { done: Done }) {
  const userId = usePathUser()
  return (
    <li className={css['done']}>
      <time dateTime={at}>{kstIso(Date.parse(at)).slice(11, 16)}</time>
      <div>
        <p>
          <Link href={`/${userId}/stock/${code}/trade`}>{name}</Link> {number(qty)}주{' '}
          {orderType === 'BUY' ? '샀습니다' : '팔았습니다'}
        </p>
        <p className={css['why']}>{[won(price), ...byText(auto), ...(why === null ? [] : [why])].join(' · ')}</p>
      </div>
      <b>{orderType === 'SELL' ? <Signed value={netGainAmount} /> : won(amount)}</b>
    </li>
  )
}

/** Said where it was not the settings. */
const byText = (auto: boolean | null): string[] => (auto === false ? ['직접 낸 주문'] : [])
