import { Link } from 'wouter'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { showDay, weekdayName } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import css from './GainByStock.module.css'
import { bestAndWorst, byStock, totals, type GainDay } from './gains.ts'

/** Which of the stocks earns: what each brought over the whole range, after costs, beside each other as bars. */
export function GainByStock({ days, userId }: { days: readonly GainDay[]; userId: string }) {
  const stocks = byStock(days)
  const most = Math.max(1, ...stocks.map(({ gain }) => Math.abs(gain.netGainAmount)))
  return (
    <Panel label="종목마다">
      <h2 className={css['title']}>
        종목마다 <small>비용 뺌</small>
      </h2>
      <ul>
        {stocks.map(({ code, name, gain }) => (
          <li key={code}>
            <Link className={css['stock']} href={`/${userId}/stock/${code}/trade`}>
              <b>{name}</b>
              <b className={css['gain']}>
                <Signed value={gain.netGainAmount} />
              </b>
              <span
                className={css['bar']}
                data-tone={gain.netGainAmount < 0 ? 'down' : 'up'}
                style={{ inlineSize: `${(100 * Math.abs(gain.netGainAmount)) / most}%` }}
              />
              <span className={css['note']}>
                {number(gain.sales)}번 팔아 {number(gain.wins)}번 이익 · 매입 {number(gain.buyAmount)}
              </span>
              <span className={css['ratio']}>
                <Signed value={gain.gainRatio} unit="percent" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What a day brings, and how far it may go either way. */
export function GainExtremes({ days }: { days: readonly GainDay[] }) {
  const extremes = bestAndWorst(days)
  if (extremes === null) return null
  const lines = [
    ['판 날 하루 평균', null, Math.round(totals(days).netGainAmount / days.length)],
    ['가장 좋은 날', extremes.best.date, extremes.best.gain.netGainAmount],
    ['가장 나쁜 날', extremes.worst.date, extremes.worst.gain.netGainAmount],
  ] as const
  return (
    <Panel label="하루에">
      <h2 className={css['title']}>
        하루에 <small>비용 뺌</small>
      </h2>
      <dl className={css['facts']}>
        {lines.map(([name, date, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {date !== null && `${showDay(date).slice(5)} (${weekdayName(date)}) `}
              <Signed value={amount} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
