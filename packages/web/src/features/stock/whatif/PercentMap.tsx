import { memo, useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { useSize } from '../../../components/chart/useSize.ts'
import { EntryInput } from '../../../components/chart/EntryInput.tsx'
import { afterMapKey, shadePaths, type Cells, type Place } from './mapCells.ts'
import { cellText, downText, upText } from './figures.ts'
import css from './PercentMap.module.css'

/** Left of the cells for the steps down, and below them for the steps up; px. */
const LEFT = 52
const BELOW = 22
/** Cells are no wider than this, px. */
const MAX_CELL = 26

interface Props {
  cells: Cells
  downs: readonly number[]
  ups: readonly number[]
  /** What is saved; null: not on this map. */
  present: Place | null
  chosen: Place
  onChoose: (place: Place) => void
}

/** What each pair of steps would have gained. One element takes the focus; arrow keys go through the cells. */
export function PercentMap({ cells, downs, ups, present, chosen, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { width } = useSize(box)
  const size = useMemo(() => cellSize(width, ups.length), [width, ups.length])
  const columns = ups.length
  const cell = cells[chosen.row]?.[chosen.column]
  const press = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    const place = {
      row: Math.floor((clientY - top) / size.height),
      column: Math.floor((clientX - left - LEFT) / size.width),
    }
    if (cells[place.row]?.[place.column] !== undefined) onChoose(place)
  }
  const move = (event: KeyboardEvent) => {
    const next = afterMapKey(event.key, chosen, downs.length, columns)
    if (next === null) return
    event.preventDefault()
    onChoose(next)
  }
  return (
    <div
      ref={box}
      className={css['map']}
      onPointerDown={press}
      style={{ blockSize: size.height * downs.length + BELOW }}
    >
      <EntryInput
        label="매수 비율과 매도 비율 지도. 위아래 화살표는 매수 비율, 좌우 화살표는 매도 비율입니다."
        count={downs.length * columns}
        index={chosen.row * columns + chosen.column}
        text={cell ? cellText(cell) : ''}
        onChoose={(index) => onChoose({ row: Math.floor(index / columns), column: index % columns })}
        onKeyDown={move}
      />
      {width > 0 && (
        <svg width={width} height={size.height * downs.length + BELOW} aria-hidden="true">
          <g transform={`translate(${LEFT} 0)`}>
            <Shades cells={cells} size={size} />
            {present !== null && <Frame place={present} size={size} kind="present" />}
            <Frame place={chosen} size={size} kind="chosen" />
          </g>
          <Sizes downs={downs} ups={ups} size={size} />
        </svg>
      )}
    </div>
  )
}

interface CellSize {
  width: number
  height: number
}

function cellSize(width: number, columns: number): CellSize {
  const across = Math.max(Math.min((width - LEFT) / columns, MAX_CELL), 1)
  return { width: across, height: Math.max(Math.min(across, 18), 10) }
}

/** Few paths, drawn once for a map. */
const Shades = memo(function Shades({ cells, size }: { cells: Cells; size: CellSize }) {
  return [...shadePaths(cells, size)].map(([shade, path]) => (
    <path key={shade} className={css['shade']} data-shade={shade} d={path} />
  ))
})

function Frame({ place, size, kind }: { place: Place; size: CellSize; kind: 'present' | 'chosen' }) {
  return (
    <rect
      className={css['frame']}
      data-kind={kind}
      x={place.column * size.width}
      y={place.row * size.height}
      width={size.width}
      height={size.height}
    />
  )
}

const threeOf = (all: readonly number[]) => [0, Math.floor(all.length / 2), all.length - 1]

/** The first, the middle and the last of each axis. */
function Sizes({ downs, ups, size }: { downs: readonly number[]; ups: readonly number[]; size: CellSize }) {
  const bottom = size.height * downs.length
  return (
    <>
      {threeOf(downs).map((at) => (
        <text key={at} x={LEFT - 6} y={(at + 0.5) * size.height} dy="0.35em" textAnchor="end">
          {downText(downs[at] ?? 0)}
        </text>
      ))}
      {threeOf(ups).map((at) => (
        <text
          key={at}
          x={LEFT + (at + 0.5) * size.width}
          y={bottom + 16}
          textAnchor={at === 0 ? 'start' : at === ups.length - 1 ? 'end' : 'middle'}
        >
          {upText(ups[at] ?? 0)}
        </text>
      ))}
    </>
  )
}
