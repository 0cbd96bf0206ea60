import { useCallback, useMemo } from 'react'
import uPlot from 'uplot'
import { dayOptions } from './axes.ts'
import css from './LinesChart.module.css'
import { Plot, type PlotOptions, type Theme } from './Plot.tsx'

interface Props {
  /** Oldest first. */
  days: readonly string[]
  /** At most three; the first one leads. */
  lines: readonly { name: string; amounts: readonly number[] }[]
  label: string
}

/** Lines differ by their strokes too, so that colour is not needed to tell them apart. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3]]

/** Amounts by day as lines over each other, with their names above. */
export function LinesChart({ days, lines, label }: Props) {
  const count = lines.length
  const options = useCallback((theme: Theme) => optionsOf(theme, days, count), [days, count])
  const data = useMemo<uPlot.AlignedData>(
    () => [days.map((_day, at) => at), ...lines.map(({ amounts }) => [...amounts])],
    [days, lines],
  )
  return (
    <>
      <ul className={css['names']}>
        {lines.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <Plot options={options} data={data} height={200} label={label} />
    </>
  )
}

function optionsOf(theme: Theme, days: readonly string[], count: number): PlotOptions {
  const points = { show: days.length < 3 }
  const line = (dash: readonly number[], at: number): uPlot.Series =>
    at === 0
      ? { stroke: theme.primary, width: 2, fill: `${theme.primary}22`, points }
      : { stroke: theme.text, width: 1.5, dash: [...dash], points }
  return dayOptions(theme, days, withRoom, DASHES.slice(0, count).map(line))
}

/** The axis need not start at zero: what matters of an asset is how it moves. */
function withRoom(_plot: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  const [low, high] = [min ?? 0, max ?? 1]
  const room = Math.max((high - low) * 0.15, Math.abs(high) * 0.005, 1)
  return [low - room, high + room]
}
