import type uPlot from 'uplot'
import { shortWon } from '../../format/won.ts'
import type { PlotOptions, Theme } from './Plot.tsx'

/** uPlot's number for an axis at the right; its own constants do not exist at run time. */
const RIGHT: uPlot.Axis.Side.Right = 1

/** The x axis counts entries, so that nights and weekends leave no holes; labels come from the entries. */
export const entryAxis = (theme: Theme, label: (index: number) => string): uPlot.Axis => ({
  stroke: theme.text,
  font: theme.font,
  size: 28,
  grid: { show: false },
  ticks: { show: false },
  space: 70,
  values: (_plot, splits) => splits.map((split) => (Number.isInteger(split) ? label(split) : '')),
})

export const wonAxis = (theme: Theme, show: (value: number) => string = shortWon): uPlot.Axis => ({
  side: RIGHT,
  stroke: theme.text,
  font: theme.font,
  size: 62,
  grid: { stroke: theme.line, width: 1 },
  ticks: { show: false },
  space: 40,
  values: (_plot, splits) => splits.map(show),
})

/** Half an entry of room on both sides, so that first and last bars are whole. */
export const entryScale = (count: () => number): uPlot.Scale => ({
  time: false,
  range: () => [-0.5, Math.max(count() - 0.5, 0.5)],
})

export const quietCursor: uPlot.Cursor = {
  y: false,
  points: { show: false },
  drag: { x: false, y: false, setScale: false },
}

/** What charts of amounts by day share; `names` are the days. */
export const dayOptions = (
  theme: Theme,
  names: readonly string[],
  range: uPlot.Scale.Range,
  series: uPlot.Series[],
): PlotOptions => ({
  legend: { show: false },
  padding: [8, 0, 0, 14],
  cursor: quietCursor,
  scales: { x: entryScale(() => names.length), y: { range } },
  axes: [entryAxis(theme, (index) => names[index] ?? ''), wonAxis(theme)],
  series: [{}, ...series],
})
