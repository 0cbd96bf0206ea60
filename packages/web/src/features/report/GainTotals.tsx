import type { Reply } from '@digger/contract'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { LOTS_NOTE, NET, NET_NOTE } from '../../format/net.ts'
import { won } from '../../format/won.ts'
import css from './GainTotals.module.css'
import { recordText, totals } from './gains.ts'

/** What all days of the range brought together: what stays after costs first, and what it is made of. */
export function GainTotals({ days }: { days: Reply<'gain'> }) {
  const sum = totals(days)
  const { buyAmount, gainAmount, gainRatio, netGainAmount } = sum
  return (
    <Panel>
      <p className={css['name']}>{NET}</p>
      <p className={css['net']}>
        <Signed value={netGainAmount} />
      </p>
      <p className={css['record']}>{recordText(sum)}</p>
      <Facts
        facts={[
          ['매입금액', won(buyAmount)],
          ['수익률', <Signed key="ratio" value={gainRatio} unit="percent" mark />],
          ['손익', <Signed key="gain" value={gainAmount} mark />],
          ['비용', won(gainAmount - netGainAmount)],
        ]}
      />
      <details className={css['notes']}>
        <summary>어떻게 세나</summary>
        <p>{NET_NOTE}</p>
        <p>{LOTS_NOTE}</p>
      </details>
    </Panel>
  )
}
