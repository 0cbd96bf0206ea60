import type { Reply } from '@digger/contract'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { LOTS_NOTE, NET, NET_NOTE } from '../../format/net.ts'
import { won } from '../../format/won.ts'
import css from './GainTotals.module.css'
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
          [NET, <Signed key="net" value={netGainAmount} />],
        ]}
      />
      <p className={css['note']}>{NET_NOTE}</p>
      <p className={css['note']}>{LOTS_NOTE}</p>
    </Panel>
  )
}
