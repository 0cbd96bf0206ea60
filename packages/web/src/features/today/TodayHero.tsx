import type { Today } from '@digger/contract'
import { kstIso } from '@digger/core'
import { Facts, Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { SeriesChart } from '../../components/chart/SeriesChart.tsx'
import { number, signedWon, won } from '../../format/won.ts'
import css from './TodayHero.module.css'

/** What stays of today's sales, and how it grew. */
export function TodayHero({ today: { sold, bought, curve } }: { today: Today }) {
  return (
    <Panel label="오늘 손익">
      <p className={css['name']}>판 것에서 남은 돈 · 비용 뺌</p>
      <p className={css['net']}>
        <Signed value={sold.netGainAmount} />
      </p>
      <p className={css['cost']}>
        비용 빼기 전 {signedWon(sold.gainAmount)} · 비용 {signedWon(-sold.costAmount)}
      </p>
      {curve.length > 1 && (
        <div className={css['curve']}>
          <SeriesChart entries={entriesOf(curve)} kind="line" label="오늘 남은 돈" />
        </div>
      )}
      <Facts
        facts={[
          [`산 것 ${number(bought.count)}번`, won(bought.amount)],
          [`판 것 ${number(sold.count)}번`, won(sold.amount)],
        ]}
      />
    </Panel>
  )
}

/** One entry a minute in which something was sold, named by its time. */
export const entriesOf = (curve: Today['curve']) =>
  curve.map(({ at, netGainAmount }) => {
    const time = kstIso(Date.parse(at)).slice(11, 16)
    return { key: at, name: time, long: time, amount: netGainAmount }
  })
