import type { Reply } from '@digger/contract'
import { knownSum } from '@digger/core'
import { Link } from 'wouter'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { gainOf } from '../../format/gain.ts'
import { won } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './BalanceSummary.module.css'
import { openGainOf } from './stockOrder.ts'

interface Props {
  balance: Reply<'balance'>
  withSavedGain: boolean
}

/** What the whole account is worth at the last prices, what today brought, and what it is made of. */
export function BalanceSummary({ balance, withSavedGain }: Props) {
  const { depositAmount, stockBuyAmount, accGainAmount, list } = balance
  // One stock without a price makes a sum unknown; a sum that leaves it out would be wrong.
  const value = knownSum(list.map(({ remainCount, price }) => price && remainCount * price))
  const total = knownSum([depositAmount, value])
  return (
    <Panel label="자산">
      <p className={css['name']}>총평가자산</p>
      <p className={css['total']}>{won(total)}</p>
      {total === null && <p className={css['name']}>{unknownText(balance)}</p>}
      <TodayLine balance={balance} total={total} />
      <Facts
        facts={[
          ['예수금', won(depositAmount)],
          ['평가금액', won(value)],
          ['주식 매입금액', won(stockBuyAmount)],
          ['총자산', won(depositAmount === null ? null : depositAmount + stockBuyAmount)],
          ['평가 손익', <Signed value={knownSum(list.map((stock) => gainOf(stock)))} key="gain" />],
          ...(withSavedGain ? ([['누적 손익', <Signed value={accGainAmount} key="saved" />]] as const) : []),
        ]}
      />
    </Panel>
  )
}

/** Whose part is not known. */
function unknownText({ depositAmount, list }: Props['balance']): string {
  const [first, ...others] = list.filter(({ price }) => price === null).map(({ name }) => name)
  if (first === undefined) return depositAmount === null ? '예수금을 아직 받지 못했습니다.' : ''
  const named = others.length === 0 ? first : `${first} 등 ${others.length + 1}종목`
  return `${named}의 시세를 아직 받지 못해 더할 수 없습니다.`
}

/** Net of what was sold and open of what is held; the way to the page about today. */
function TodayLine({ balance: { today, list }, total }: { balance: Props['balance']; total: number | null }) {
  const userId = usePathUser()
  const open = knownSum(list.map(openGainOf))
  const sum = open === null ? null : today.realisedNet + open
  const before = sum === null || total === null ? null : total - sum
  return (
    <div className={css['today']}>
      <p>
        <b>
          오늘 <Signed value={sum} />
        </b>
        {sum !== null && before !== null && before > 0 && (
          <b>
            {' '}
            (<Signed value={(sum / before) * 100} unit="percent" />)
          </b>
        )}
      </p>
      <Link className={css['parts']} href={`/${userId}/today`}>
        판 것 <Signed value={today.realisedNet} /> · 들고 있는 것 <Signed value={open} /> <b>오늘 보기</b>
      </Link>
    </div>
  )
}
