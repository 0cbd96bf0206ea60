import type { Reply } from '@digger/contract'
import { Empty } from '../../components/QueryView.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { number, won } from '../../format/won.ts'
import css from './Broker.module.css'

/** The broker's own words about cash and shares, not Digger's book. */
export function BrokerHoldings({ balance: { availableAmount, list } }: { balance: Reply<'brokerBalance'> }) {
  return (
    <>
      <Panel>
        <Facts
          facts={[
            ['주문 가능 금액', won(availableAmount)],
            ['보유 종목', `${list.length}개`],
          ]}
        />
      </Panel>
      {list.length === 0 && <Empty title="증권사에 보유한 주식이 없습니다" />}
      <ul className={css['orders']}>
        {list.map(({ code, name, price, qty, availableQty, gainAmount, gainRatio }) => (
          <li key={code} className={css['holding']}>
            <p>
              <span>
                <b>{name}</b> <small>{code}</small>
              </span>
              <b>
                <Signed value={gainRatio} unit="percent" mark />
              </b>
            </p>
            <p>
              <span>
                {won(price)} · {number(availableQty)} / {number(qty)}주
              </span>
              <Signed value={gainAmount} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}
