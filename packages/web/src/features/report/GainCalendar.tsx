import { shortWon } from '../../format/won.ts'
import css from './GainCalendar.module.css'
import { weeks } from './gains.ts'

const WEEKDAYS = ['일', '월', '화', '수', '목', '금', '토']

/** A month at a glance: red days brought money, blue ones cost it. */
export function GainCalendar({ days }: { days: readonly { date: string; gain: number | null }[] }) {
  const rows = weeks(days)
  return (
    <table className={css['calendar']}>
      <caption className="unseen">달력으로 본 일자별 손익</caption>
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
        {rows.map((row) => (
          <tr key={row.find((cell) => cell !== null)?.date}>
            {row.map((cell, column) => (
              <td key={WEEKDAYS[column]} data-tone={toneOf(cell?.gain ?? 0)}>
                {cell && <span>{Number(cell.date.slice(6))}</span>}
                {cell?.gain !== undefined && cell.gain !== null && (
                  <b>{`${cell.gain > 0 ? '+' : ''}${shortWon(cell.gain)}`}</b>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const toneOf = (gain: number): 'up' | 'down' | undefined => (gain > 0 ? 'up' : gain < 0 ? 'down' : undefined)
