import { signedWon } from '../../format/won.ts'
import css from './GainCalendar.module.css'
import { heat, inMan, weeks, type DayGain } from './gains.ts'

const WEEKDAYS = ['일', '월', '화', '수', '목', '금', '토']

/** A month at a glance: the redder a day the more it brought, the bluer the more it cost, after costs. */
export function GainCalendar({ days }: { days: readonly DayGain[] }) {
  const most = Math.max(0, ...days.map(({ gain }) => Math.abs(gain?.netGainAmount ?? 0)))
  return (
    <table className={css['calendar']}>
      <caption className="unseen">달력으로 본 일자별 비용 뺀 손익, 만원</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks(days).map((row) => (
          <tr key={row.find((cell) => cell !== null)?.date}>
            {row.map((cell, column) => (
              <Day key={WEEKDAYS[column]} day={cell} most={most} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({ day, most }: { day: DayGain | null; most: number }) {
  const net = day?.gain?.netGainAmount ?? null
  const tone = net === null || net === 0 ? undefined : net > 0 ? 'up' : 'down'
  const ground = tone && `color-mix(in srgb, var(--${tone}) ${heat(net ?? 0, most)}%, var(--surface))`
  return (
    <td data-tone={tone} style={{ background: ground }}>
      {day && <span>{Number(day.date.slice(6))}</span>}
      {net !== null && <b title={signedWon(net)}>{inMan(net)}</b>}
    </td>
  )
}
