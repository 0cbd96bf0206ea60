import { memo } from 'react'
import type { Candle } from './candles.ts'
import { HALF_TIME, timeTexts } from './labels.ts'
import css from './PriceChart.module.css'
import type { PriceLayout } from './priceLayout.ts'
import { Text } from './Text.tsx'

interface Props extends Pick<PriceLayout, 'from' | 'to' | 'first' | 'step' | 'right'> {
  candles: readonly Candle[]
  /** Of the plot, px. */
  bottom: number
  pointed: number | null
}

/** Months, days or minutes below the candles; the one that is pointed at stands in their way. */
export const TimeAxis = memo(function TimeAxis({ candles, from, to, first, step, right, bottom, pointed }: Props) {
  const x = (index: number) => (index + 0.5 - first) * step
  const texts = timeTexts(candles, { from, to, x, right, scale: { bottom } }, pointed)
  return (
    <>
      <line className={css['base']} x1={0} x2={right} y1={bottom} y2={bottom} />
      {texts.times.map((label) => (
        <Text key={label.x} label={label} />
      ))}
      {texts.pointed && (
        <g className={css['pointed']}>
          <rect
            x={texts.pointed.x - HALF_TIME - 4}
            y={texts.pointed.y - 10}
            width={2 * HALF_TIME + 8}
            height={20}
            rx={6}
          />
          <Text label={texts.pointed} />
        </g>
      )}
    </>
  )
})
