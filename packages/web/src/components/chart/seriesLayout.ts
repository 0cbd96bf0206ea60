import { axisWon } from '../../format/won.ts'
import { roundValues, yOf, type Scale } from './scale.ts'
import { spaced } from './tags.ts'
import { textWidth } from './textWidth.ts'

export interface Entry {
  key: string
  /** Below the plot, where it has room. */
  name: string
  /** Beside its amount. */
  long: string
  amount: number
}

/** Right of the plot, at least; and what is left free beside the widest value, px. */
const GUTTER = 64
const BESIDE = 8
/** Above the plot: the value that is pointed at; below: names. px. */
const ABOVE = 30
const BELOW = 24
/** Between two labels below, px, from middle to middle: 44 between those of months. */
const LABEL_DISTANCE = 72

export interface SeriesLayout {
  scale: Scale
  right: number
  step: number
  x: (index: number) => number
  values: { value: number; text: string }[]
  labels: { key: string; name: string; x: number }[]
}

/** `bars` stand on zero; a line has the scale of its data. */
export function seriesLayout(
  entries: readonly Entry[],
  { width, height, kind }: { width: number; height: number; kind: 'bars' | 'line' },
): SeriesLayout {
  const [low, high] = rangeOf(
    entries.map(({ amount }) => amount),
    kind,
  )
  const scale = { low, high, top: ABOVE, bottom: Math.max(height - BELOW, ABOVE + 1) }
  const values = valuesBetween(low, high, kind)
  const gutter = Math.max(GUTTER, ...values.map(({ text }) => textWidth(text) + BESIDE))
  const right = Math.max(width - gutter, 1)
  const step = right / Math.max(entries.length, 1)
  const x = (index: number) => (index + 0.5) * step
  const labels = entries.map(({ key, name }, at) => {
    const half = textWidth(name) / 2
    return { key, name, x: Math.min(Math.max(x(at), half), Math.max(right - half, half)) }
  })
  return { scale, right, step, x, values, labels: spaced(labels, LABEL_DISTANCE, null) }
}

/** Round values and what they say: bars are signed. */
function valuesBetween(low: number, high: number, kind: 'bars' | 'line'): SeriesLayout['values'] {
  const values = roundValues(low, high)
  const step = (values[1] ?? 0) - (values[0] ?? 0)
  return values.map((value) => ({ value, text: (kind === 'bars' && value > 0 ? '+' : '') + axisWon(value, step) }))
}

/** With some room, so that nothing touches the edges. Bars include zero, and have no room where none go. */
function rangeOf(amounts: readonly number[], kind: 'bars' | 'line'): [number, number] {
  const zero = kind === 'bars' || amounts.length === 0 ? [0] : []
  const [low, high] = [Math.min(...amounts, ...zero), Math.max(...amounts, ...zero)]
  const room = Math.max((high - low) * 0.08, 1)
  return kind === 'bars'
    ? [low < 0 ? low - room : 0, high > 0 || low === 0 ? high + room : 0]
    : [low - room, high + room]
}

/** Left edge of a label of so many px whose middle should be at `x`: it stays within the plot and its gutter. */
export const clampedLeft = (x: number, width: number, room: number): number =>
  Math.max(0, Math.min(x - width / 2, room - width))

export const linePath = (entries: readonly Entry[], { x, scale }: SeriesLayout): string =>
  entries
    .map(({ amount }, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${yOf(scale, amount).toFixed(1)}`)
    .join('')
