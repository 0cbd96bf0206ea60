import { memo, useId } from 'react'
import { candlePaths, markPaths, type Candle, type Mark } from './candles.ts'
import css from './PriceChart.module.css'
import type { PriceLayout } from './priceLayout.ts'
import type { Scale } from './scale.ts'

interface Props {
  /** As the broker gave them: the very same at every price. */
  candles: readonly Candle[]
  /** The same, the newest one at the live price. */
  shown: readonly Candle[]
  marks: readonly Mark[]
  layout: PriceLayout
}

/** At a new price only the newest candle is drawn anew, until the scale moves. What is moved out of the plot is cut at its edge. */
export function CandleLayer({ candles, shown, marks, layout }: Props) {
  const id = useId()
  const { from, to, first, step, scale, right } = layout
  const newest = candles.length - 1
  const place = { marks, first, step, ...scale }
  return (
    <>
      <clipPath id={id}>
        <rect x={0} y={0} width={right} height={scale.bottom} />
      </clipPath>
      <g clipPath={`url(#${id})`} data-plot={`${right} ${scale.bottom}`}>
        <Candles candles={candles} from={from} to={Math.min(to, newest)} {...place} />
        <Candles candles={shown} from={Math.max(from, newest)} to={to} {...place} />
      </g>
    </>
  )
}

interface CandlesProps extends Scale, Pick<PriceLayout, 'from' | 'to' | 'first' | 'step'> {
  candles: readonly Candle[]
  marks: readonly Mark[]
}

/** Four paths, however many candles there are. */
const Candles = memo(function Candles({ candles, marks, from, to, first, step, ...scale }: CandlesProps) {
  const x = (index: number) => (index + 0.5 - first) * step
  const { up, down } = candlePaths(candles.slice(from, to), { first: from, x, step, scale })
  const { buy, sell } = markPaths(
    marks.filter(({ index }) => index >= from && index < to),
    candles,
    x,
    scale,
  )
  return (
    <>
      <path className={css['up']} d={up} />
      <path className={css['down']} d={down} />
      <path className={css['bought']} d={buy} />
      <path className={css['sold']} d={sell} />
    </>
  )
})
