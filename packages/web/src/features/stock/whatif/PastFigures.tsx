import { memo } from 'react'
import { Ends } from './Ends.tsx'
import { figuresOf, type Figure } from './figures.ts'
import css from './PastFigures.module.css'
import type { Run } from './protocol.ts'

interface Props {
  run: Run
  /** What is saved, where it is another. */
  saved: Run | null
}

/** What came of the settings as they are tried, beside those that are saved. */
export function PastFigures({ run, saved }: Props) {
  const before = saved && figuresOf(saved)
  return (
    <table className={css['figures']} data-two={saved !== null}>
      <caption className="unseen">해 본 결과</caption>
      <thead>
        <tr>
          <th scope="col" className={css['corner']}>
            <span className="unseen">값</span>
          </th>
          <th scope="col">{saved === null ? '지금 설정' : '고친 설정'}</th>
          {saved !== null && <th scope="col">지금 설정</th>}
        </tr>
      </thead>
      <tbody>
        {figuresOf(run).map((figure, at) => (
          <tr key={figure.name}>
            <th scope="row">{figure.name}</th>
            <Cell {...cellOf(figure)} />
            {before !== null && <Cell {...cellOf(before[at] ?? figure)} />}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cellOf = ({ ends: [low, high], unit, note = '' }: Figure) => ({ low, high, unit, note })

/** Drawn anew only where its figure is another one. */
const Cell = memo(function Cell({ low, high, unit, note }: ReturnType<typeof cellOf>) {
  return (
    <td>
      <Ends ends={[low, high]} unit={unit} />
      {note !== '' && <small>{note}</small>}
    </td>
  )
})
