import type { Reply } from '@digger/contract'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { gainOf } from '../../format/gain.ts'
import { won } from '../../format/won.ts'

/** What the whole account is worth. */
export function BalanceSummary({ balance, withSavedGain }: { balance: Reply<'balance'>; withSavedGain: boolean }) {
  const { depositAmount, stockBuyAmount, list } = balance
  const gains = list.map((stock) => gainOf(stock))
  // One stock without a price makes the sum unknown; a sum that leaves it out would be wrong.
  const gain = gains.every((value) => value !== null) ? gains.reduce((sum, value) => sum + value, 0) : null
  const saved = list.reduce((sum, { accGainAmount }) => sum + accGainAmount, 0)
  return (
    <Panel>
      <Facts
        lead
        facts={[
          ['총자산', won(depositAmount === null ? null : depositAmount + stockBuyAmount)],
          ['예수금', won(depositAmount)],
          ['주식 매입금액', won(stockBuyAmount)],
          ['평가 손익', <Signed value={gain} key="gain" mark />],
          ...(withSavedGain ? ([['누적 손익', <Signed value={saved} key="saved" />]] as const) : []),
        ]}
      />
    </Panel>
  )
}
