import { useCallback, useEffect, useMemo, useRef } from 'react'
import type uPlot from 'uplot'
import { number } from '../../format/won.ts'
import { entryAxis, entryScale, quietCursor, wonAxis } from './axes.ts'
import {
  drawCandles,
  drawLines,
  drawMarks,
  drawNames,
  priceRange,
  type Candle,
  type Mark,
  type PriceLine,
} from './candles.ts'
import css from './PriceChart.module.css'
import { Plot, type PlotOptions, type Theme } from './Plot.tsx'

interface Props {
  candles: readonly Candle[]
  lines: readonly PriceLine[]
  marks: readonly Mark[]
  label: string
}

/** `20261121` → 11/21, `20261121093000` → 09:30. */
const shortTime = (time: string): string =>
  time.length > 8 ? `${time.slice(8, 10)}:${time.slice(10, 12)}` : `${time.slice(4, 6)}/${time.slice(6, 8)}`

const readoutOf = ({ time, open, high, low, close }: Candle): string =>
  `${shortTime(time)} 시 ${number(open)} 고 ${number(high)} 저 ${number(low)} 종 ${number(close)}`

export function PriceChart({ candles, lines, marks, label }: Props) {
  const drawn = useRef({ candles, lines, marks })
  const readout = useRef<HTMLParagraphElement>(null)
  const options = useCallback((theme: Theme) => optionsOf(theme, drawn, readout), [])
  const data = useMemo<uPlot.AlignedData>(
    () => [candles.map((_candle, index) => index), candles.map(({ close }) => close)],
    [candles],
  )
  // The chart itself is redrawn by `setData`, which runs after this.
  useEffect(() => {
    drawn.current = { candles, lines, marks }
  }, [candles, lines, marks])
  const last = candles.at(-1)
  return (
    <figure className={css['chart']}>
      <p ref={readout} className={css['readout']} aria-hidden="true">
        {last && readoutOf(last)}
      </p>
      <Plot
        key={`${lines.length} ${marks.length} ${candles[0]?.time}`}
        options={options}
        data={data}
        height={300}
        label={label}
      />
    </figure>
  )
}

type Drawn = { current: Pick<Props, 'candles' | 'lines' | 'marks'> }

function optionsOf(theme: Theme, drawn: Drawn, readout: { current: HTMLElement | null }): PlotOptions {
  const time = (index: number) => shortTime(drawn.current.candles[index]?.time ?? '')
  return {
    legend: { show: false },
    padding: [8, 0, 0, 18],
    cursor: { ...quietCursor, points: { show: false } },
    scales: {
      x: entryScale(() => drawn.current.candles.length),
      y: { range: () => priceRange(drawn.current.candles, drawn.current.lines) },
    },
    axes: [entryAxis(theme, time), wonAxis(theme, number)],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: {
      draw: [
        (plot) => {
          drawLines(plot, theme, drawn.current.lines)
          drawCandles(plot, theme, drawn.current.candles)
          drawMarks(plot, theme, drawn.current.marks)
          drawNames(plot, theme, drawn.current.lines, drawn.current.candles)
        },
      ],
      setCursor: [
        ({ cursor: { idx } }) => {
          const candle = drawn.current.candles.at(idx ?? -1)
          // Written without React: a finger on the chart moves too fast for a render of the page.
          if (readout.current && candle) readout.current.textContent = readoutOf(candle)
        },
      ],
    },
  }
}
