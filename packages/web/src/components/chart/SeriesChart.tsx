import { useRef, useState, type PointerEvent } from 'react'
import { signedWon, won } from '../../format/won.ts'
import { EntryInput } from './EntryInput.tsx'
import { yOf } from './scale.ts'
import css from './SeriesChart.module.css'
import { clampedLeft, linePath, seriesLayout, type Entry, type SeriesLayout } from './seriesLayout.ts'
import { textWidth } from './textWidth.ts'
import { useSize } from './useSize.ts'

interface Props {
  /** Oldest first. */
  entries: readonly Entry[]
  kind: 'bars' | 'line'
  label: string
}

/** Bars of gains are signed, a line of money is not. */
const valueOf = ({ long, amount }: Entry, kind: Props['kind']): string =>
  `${long} ${kind === 'bars' ? signedWon(amount) : won(amount)}`

/** Amounts by day or month; a press, a mouse over it or the arrow keys show one of them above the plot. */
export function SeriesChart({ entries, kind, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(box)
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen === null || chosen >= entries.length ? null : chosen
  const layout = seriesLayout(entries, { width, height, kind })
  const choose = (event: PointerEvent<HTMLElement>) => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left) / layout.step)
    setChosen(Math.min(Math.max(index, 0), entries.length - 1))
  }
  const entry = at === null ? entries.at(-1) : entries[at]
  return (
    <div
      ref={box}
      className={css['plot']}
      onPointerDown={choose}
      onPointerMove={(event) => (event.pointerType === 'mouse' || event.buttons > 0) && choose(event)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setChosen(null)}
    >
      <EntryInput
        label={label}
        count={entries.length}
        index={at ?? entries.length - 1}
        text={entry ? valueOf(entry, kind) : ''}
        onChoose={setChosen}
      />
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          <Axes layout={layout} width={width} />
          <g data-plot={`${layout.right} ${layout.scale.bottom}`}>
            {kind === 'bars' ? (
              <Bars entries={entries} layout={layout} chosen={at} />
            ) : (
              <Line entries={entries} layout={layout} />
            )}
          </g>
          {at !== null && entry && <Chosen entry={entry} at={at} kind={kind} layout={layout} width={width} />}
        </svg>
      )}
    </div>
  )
}

function Axes({ layout, width }: { layout: SeriesLayout; width: number }) {
  const { values, scale, right, labels } = layout
  return (
    <>
      {values.map(({ value, text }) => (
        <g key={value}>
          <line
            className={css['grid']}
            data-zero={value === 0}
            x1={0}
            x2={right}
            y1={yOf(scale, value)}
            y2={yOf(scale, value)}
          />
          <text x={width - 2} y={yOf(scale, value)} dy="0.35em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {labels.map(({ key, name, x }) => (
        <text key={key} x={x} y={scale.bottom + 17} textAnchor="middle">
          {name}
        </text>
      ))}
    </>
  )
}

function Bars({ entries, layout, chosen }: { entries: readonly Entry[]; layout: SeriesLayout; chosen: number | null }) {
  const { scale, step, x } = layout
  const width = Math.min(step * 0.7, 28)
  const zero = yOf(scale, 0)
  return entries.map(({ key, amount }, at) => {
    if (amount === 0) return null
    const y = yOf(scale, amount)
    return (
      <rect
        key={key}
        className={css['bar']}
        data-tone={amount > 0 ? 'up' : 'down'}
        data-chosen={at === chosen}
        x={x(at) - width / 2}
        width={width}
        y={Math.min(y, zero)}
        height={Math.max(Math.abs(y - zero), 1)}
        rx={Math.min(2, width / 4)}
      />
    )
  })
}

function Line({ entries, layout }: { entries: readonly Entry[]; layout: SeriesLayout }) {
  const [only] = entries
  return entries.length === 1 && only ? (
    <circle className={css['point']} cx={layout.x(0)} cy={yOf(layout.scale, only.amount)} r={4} />
  ) : (
    <path className={css['line']} d={linePath(entries, layout)} />
  )
}

/** What is pointed at, above the plot, where no finger is. */
function Chosen({
  entry,
  at,
  kind,
  layout,
  width,
}: {
  entry: Entry
  at: number
  kind: Props['kind']
  layout: SeriesLayout
  width: number
}) {
  const text = valueOf(entry, kind)
  const box = textWidth(text) + 16
  const left = clampedLeft(layout.x(at), box, width)
  const y = yOf(layout.scale, entry.amount)
  return (
    <g className={css['chosen']}>
      <line x1={layout.x(at)} x2={layout.x(at)} y1={22} y2={kind === 'bars' ? Math.max(y, 22) : layout.scale.bottom} />
      {kind === 'line' && <circle className={css['point']} cx={layout.x(at)} cy={y} r={4} />}
      <rect x={left} y={0} width={box} height={22} rx={6} />
      <text x={left + box / 2} y={11} dy="0.35em" textAnchor="middle">
        {text}
      </text>
    </g>
  )
}
