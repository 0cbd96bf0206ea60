import type { Reply } from '@digger/contract'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { won } from '../../format/won.ts'
import { totals } from './gains.ts'

/** What all days of the range brought together. */
export function GainTotals({ days }: { days: Reply<'gain'> }) {
  const { buyAmount, gainAmount, gainRatio, netGainAmount } = totals(days)
  return (
    <Panel>
      <Facts
        facts={[
          ['매입금액', won(buyAmount)],
          ['수익률', <Signed key="ratio" value={gainRatio} unit="percent" mark />],
          ['손익', <Signed key="gain" value={gainAmount} mark />],
          ['비용 뺀 손익', <Signed key="net" value={netGainAmount} />],
        ]}
      />
    </Panel>
  )
}
