import { shortTime, timeLabels, type Candle } from './candles.ts'
import css from './PriceChart.module.css'
import type { PriceLayout } from './priceLayout.ts'
import { spaced } from './tags.ts'

/** From middle to middle, px: 44 between labels of one like 11/20. */
const LABEL_DISTANCE = 80
/** Half of the longest label, so that none is cut at an edge; px. */
const HALF = 18

interface Props {
  candles: readonly Candle[]
  layout: PriceLayout
  pointed: number | null
}

/** Months, days or minutes below the candles; the one that is pointed at stands in their way. */
export function TimeAxis({ candles, layout, pointed }: Props) {
  const { from, to, x, right, scale } = layout
  const inside = (at: number) => Math.min(Math.max(at, HALF), Math.max(right - HALF, HALF))
  const labels = timeLabels(candles, from, to).map(({ index, text }) => ({ text, index, x: inside(x(index)) }))
  const time = pointed === null ? undefined : candles[pointed]?.time
  const pointedX = pointed === null ? null : inside(x(pointed))
  const y = scale.bottom + 17
  return (
    <>
      <line className={css['base']} x1={0} x2={right} y1={scale.bottom} y2={scale.bottom} />
      {spaced(labels, LABEL_DISTANCE, pointedX).map(({ text, index, x }) => (
        <text key={index} x={x} y={y} textAnchor="middle">
          {text}
        </text>
      ))}
      {time !== undefined && pointedX !== null && (
        <g className={css['pointed']}>
          <rect x={pointedX - HALF - 4} y={y - 14} width={2 * HALF + 8} height={20} rx={6} />
          <text x={pointedX} y={y} textAnchor="middle">
            {shortTime(time)}
          </text>
        </g>
      )}
    </>
  )
}
