import type { Reply } from '@digger/contract'
import { Empty } from '../../components/QueryView.tsx'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { number, won } from '../../format/won.ts'
import css from './Broker.module.css'

const DEPOSIT = '주문 가능 금액은 D+2 예수금이라, 나가 있는 매수 주문이 아직 빠지지 않은 금액입니다.'
/** A question of its own would take the broker's one ledger call a second from the lists. */
const NOT_ASKED = '미체결 매수를 뺀 금액은 살 가격이 가까워져 증권사에 물은 뒤에 함께 보입니다.'

/** Where people compare: with lots of different prices the two never agree before all of them are sold. */
const AVERAGE =
  '여기 손익은 증권사의 이동평균 단가로 셉니다. Digger는 매매마다 산 값으로 세므로, 다 팔 때까지는 서로 다릅니다.'
const LOANS = '신용·대출 주식은 Digger가 장부와 견주지도 팔지도 않습니다.'

/** The broker's own words about cash and shares, not Digger's book. */
export function BrokerHoldings({ balance: { availableAmount, orderable, list } }: { balance: Reply<'brokerBalance'> }) {
  return (
    <>
      <Panel>
        <Facts
          facts={[
            ['주문 가능 금액', won(availableAmount)],
            ...(orderable === null ? [] : [['미체결 매수를 뺀 현금', won(orderable.amount), orderable.at] as const]),
            ['보유 종목', `${list.length}개`],
          ]}
        />
        <p className={css['cash']}>{orderable === null ? `${DEPOSIT} ${NOT_ASKED}` : DEPOSIT}</p>
      </Panel>
      {list.length > 0 && (
        <p className={css['cash']}>{list.some(({ loan }) => loan) ? `${AVERAGE} ${LOANS}` : AVERAGE}</p>
      )}
      {list.length === 0 && <Empty title="증권사에 보유한 주식이 없습니다" />}
      <ul className={css['orders']}>
        {list.map(({ code, name, price, qty, availableQty, gainAmount, gainRatio, loan }) => (
          <li key={`${code} ${loan}`} className={css['holding']}>
            <p>
              <span>
                <b>{loan ? `${name} (신용·대출)` : name}</b> <small>{code}</small>
              </span>
              <b>
                <Signed value={gainRatio} unit="percent" mark />
              </b>
            </p>
            <p>
              <span>
                {won(price)} · 팔 수 있는 {number(availableQty)}주 / 보유 {number(qty)}주
              </span>
              <Signed value={gainAmount} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}
