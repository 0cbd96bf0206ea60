import { useCallback, useMemo } from 'react'
import uPlot from 'uplot'
import { dayOptions } from './axes.ts'
import { Plot, type Theme } from './Plot.tsx'

interface Props {
  /** Oldest first. */
  entries: readonly { name: string; amount: number }[]
  label: string
}

/** Amounts by day: bars above and below zero, red and blue. */
export function AmountChart({ entries, label }: Props) {
  const names = useMemo(() => entries.map(({ name }) => name), [entries])
  const options = useCallback(
    (theme: Theme) => dayOptions(theme, names, aroundZero, [bars(theme.up), bars(theme.down)]),
    [names],
  )
  const data = useMemo<uPlot.AlignedData>(() => {
    const amounts = entries.map(({ amount }) => amount)
    const index = entries.map((_entry, at) => at)
    return [
      index,
      amounts.map((amount) => (amount > 0 ? amount : null)),
      amounts.map((amount) => (amount < 0 ? amount : null)),
    ]
  }, [entries])
  return <Plot options={options} data={data} height={200} label={label} />
}

function bars(fill: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.15 })
  return { fill, width: 0, points: { show: false }, ...(paths && { paths }) }
}

/** Bars stand on zero. */
function aroundZero(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const [low, high] = [Math.min(min ?? 0, 0), Math.max(max ?? 0, 0)]
  const room = (high - low || 1) * 0.08
  return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room]
}
