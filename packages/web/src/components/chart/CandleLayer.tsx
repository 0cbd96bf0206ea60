import { useId } from 'react'
import { candlePaths, markPaths, type Candle, type Mark } from './candles.ts'
import css from './PriceChart.module.css'
import type { PriceLayout } from './priceLayout.ts'

interface Props {
  candles: readonly Candle[]
  marks: readonly Mark[]
  layout: PriceLayout
}

/** Four paths, however many candles there are. What is moved out of the plot is cut at its edge. */
export function CandleLayer({ candles, marks, layout }: Props) {
  const id = useId()
  const { from, to, x, step, scale, right } = layout
  const { up, down } = candlePaths(candles.slice(from, to), { first: from, x, step, scale })
  const { buy, sell } = markPaths(
    marks.filter(({ index }) => index >= from && index < to),
    candles,
    x,
    scale,
  )
  return (
    <>
      <clipPath id={id}>
        <rect x={0} y={0} width={right} height={scale.bottom} />
      </clipPath>
      <g clipPath={`url(#${id})`} data-plot={`${right} ${scale.bottom}`}>
        <path className={css['up']} d={up} />
        <path className={css['down']} d={down} />
        <path className={css['bought']} d={buy} />
        <path className={css['sold']} d={sell} />
      </g>
    </>
  )
}
