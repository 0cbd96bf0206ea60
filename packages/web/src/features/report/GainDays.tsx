import type { Reply } from '@digger/contract'
import { Link } from 'wouter'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { showDay, weekdayName } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import css from './GainDays.module.css'

/** A day at a time, and what each stock brought. A stock leads to its trades. */
export function GainDays({ days, userId }: { days: Reply<'gain'>; userId: string }) {
  const panels = days.map(({ date, gain, stockGainList }) => (
    <Panel key={date}>
      <h2 className={css['day']}>
        <span>
          {showDay(date)} ({weekdayName(date)})
        </span>
        <span>
          <Signed value={gain.netGainAmount} />
          <small className={css['gross']}>
            손익 <Signed value={gain.gainAmount} /> (<Signed value={gain.gainRatio} unit="percent" />)
          </small>
        </span>
      </h2>
      <ul>
        {stockGainList.map(({ code, name, gain: of }) => (
          <li key={code}>
            <Link className={css['stock']} href={`/${userId}/stock/${code}/trade`}>
              <span className={css['name']}>{name}</span>
              <span className={css['amount']}>
                {number(of.sales)}번 · 매입 {number(of.buyAmount)}
              </span>
              <span className={css['gain']}>
                <Signed value={of.netGainAmount} />
                <small className={css['gross']}>
                  손익 <Signed value={of.gainAmount} /> (<Signed value={of.gainRatio} unit="percent" />)
                </small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  ))
  return <div className={css['days']}>{panels}</div>
}
