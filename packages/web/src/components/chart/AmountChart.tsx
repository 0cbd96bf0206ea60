import { useCallback, useMemo } from 'react'
import uPlot from 'uplot'
import { entryAxis, entryScale, quietCursor, wonAxis } from './axes.ts'
import { Plot, type PlotOptions, type Theme } from './Plot.tsx'

interface Props {
  /** Oldest first. */
  entries: readonly { name: string; amount: number }[]
  look: 'bars' | 'line'
  label: string
}

/** Amounts by day: bars above and below zero (red and blue), or a line. */
export function AmountChart({ entries, look, label }: Props) {
  const names = useMemo(() => entries.map(({ name }) => name), [entries])
  const options = useCallback((theme: Theme) => optionsOf(theme, names, look), [names, look])
  const data = useMemo<uPlot.AlignedData>(() => {
    const amounts = entries.map(({ amount }) => amount)
    const index = entries.map((_entry, at) => at)
    if (look === 'line') return [index, amounts]
    return [
      index,
      amounts.map((amount) => (amount > 0 ? amount : null)),
      amounts.map((amount) => (amount < 0 ? amount : null)),
    ]
  }, [entries, look])
  return <Plot options={options} data={data} height={200} label={label} />
}

function bars(fill: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.15 })
  return { fill, width: 0, points: { show: false }, ...(paths && { paths }) }
}

function optionsOf(theme: Theme, names: readonly string[], look: Props['look']): PlotOptions {
  const line: uPlot.Series = {
    stroke: theme.primary,
    width: 2,
    fill: `${theme.primary}22`,
    points: { show: names.length < 3 },
  }
  return {
    legend: { show: false },
    padding: [8, 0, 0, 14],
    cursor: quietCursor,
    scales: { x: entryScale(() => names.length), y: look === 'bars' ? { range: aroundZero } : { range: withRoom } },
    axes: [entryAxis(theme, (index) => names[index] ?? ''), wonAxis(theme)],
    series: look === 'bars' ? [{}, bars(theme.up), bars(theme.down)] : [{}, line],
  }
}

/** Bars stand on zero. */
function aroundZero(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const [low, high] = [Math.min(min ?? 0, 0), Math.max(max ?? 0, 0)]
  const room = (high - low || 1) * 0.08
  return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room]
}

/** A line of a fortune: its moves matter, so the axis need not start at zero. */
function withRoom(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const [low, high] = [min ?? 0, max ?? 1]
  const room = Math.max((high - low) * 0.15, Math.abs(high) * 0.005, 1)
  return [low - room, high + room]
}
