import { memo, useMemo } from 'react'
import { Icon } from '../../../components/Icon.tsx'
import { NumbersTable } from '../../../components/Table.tsx'
import { number } from '../../../format/won.ts'
import { bestText, cellText, downText, FITTING, upText } from './figures.ts'
import { bestPlace, judged, neighboursShare, type Cells } from './mapCells.ts'
import { nearest } from './percents.ts'
import { PercentMap } from './PercentMap.tsx'
import type { Axes } from './rehearsalStore.ts'
import type { Steps } from './tried.ts'
import css from './WhatIf.module.css'

interface Props {
  cells: Cells
  axes: Axes
  /** Another one is on its way. */
  isOld: boolean
  saved: Steps
  steps: Steps
  onTry: (steps: Steps) => void
}

/** What other steps would have gained, and how little that says. */
export const PastMap = memo(function PastMap({ cells, axes: { downs, ups }, isOld, saved, steps, onTry }: Props) {
  const chosen = { row: nearest(downs, steps.down), column: nearest(ups, steps.up) }
  const cell = cells[chosen.row]?.[chosen.column]
  const isOnMap = downs.includes(saved.down) && ups.includes(saved.up)
  const present = isOnMap ? { row: downs.indexOf(saved.down), column: ups.indexOf(saved.up) } : null
  return (
    <section className={css['mapPart']} data-old={isOld} aria-label="비율 지도">
      <h3>다른 비율이었다면</h3>
      <p className={css['note']}>
        칸마다 그 비율로 이 기간을 다시 매매한 합계입니다. 색은 불리한 쪽의 합계로, 빨강은 이익, 파랑은 손실입니다.
        점선은 지금 설정, 굵은 선은 해 보는 값입니다. 칸을 누르면 그 값으로 해 봅니다.
      </p>
      <div className={css['mapColumns']}>
        <PercentMap
          cells={cells}
          downs={downs}
          ups={ups}
          present={present}
          chosen={chosen}
          onChoose={({ row, column }) => onTry({ down: downs[row] ?? steps.down, up: ups[column] ?? steps.up })}
        />
        <div>
          <p className={css['cell']} aria-live="polite">
            {cell && cellText(cell)}
          </p>
          <Best cells={cells} />
          <NumbersTable caption="지도" head={['매수', '매도', '합계(불리)', '들어간 돈']} rows={() => rowsOf(cells)} />
        </div>
      </div>
    </section>
  )
})

const rowsOf = (cells: Cells) =>
  cells.flat().map((cell) => ({
    key: `${cell.buyPercent} ${cell.sellPercent}`,
    cells: [downText(-cell.buyPercent), upText(cell.sellPercent), number(judged(cell)), number(cell.mostIn[1])],
  }))

/** The best cell is shown with what speaks against it. */
function Best({ cells }: { cells: Cells }) {
  const text = useMemo(() => {
    const place = bestPlace(cells)
    const best = place && cells[place.row]?.[place.column]
    return place && best ? bestText(best, neighboursShare(cells, place)) : null
  }, [cells])
  return (
    <div className={css['fitting']}>
      <Icon name="warn" size={18} />
      <div>
        <p>
          <b>{FITTING}</b>
        </p>
        {text !== null && <p>{text}</p>}
      </div>
    </div>
  )
}
