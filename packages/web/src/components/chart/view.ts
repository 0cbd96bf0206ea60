/** Which part of a row of entries is seen: `span` of them, and `back` more behind its right edge. Both may be fractions. */
export interface View {
  span: number
  back: number
}

/** Closer than this a chart says nothing more. */
export const MIN_SPAN = 5

export const firstOf = ({ span, back }: View, count: number): number => count - back - span

/** Within what there is. */
export function clamped({ span, back }: View, count: number): View {
  const shown = Math.min(Math.max(span, MIN_SPAN), Math.max(count, MIN_SPAN))
  return { span: shown, back: Math.min(Math.max(back, 0), Math.max(count - shown, 0)) }
}

/** `factor` times closer; what lies at `anchor` (0 left edge, 1 right edge) stays where it is. */
export function zoomed(view: View, count: number, factor: number, anchor: number): View {
  const { span } = clamped({ span: view.span / factor, back: 0 }, count)
  const still = firstOf(view, count) + anchor * view.span
  return clamped({ span, back: count - (still - anchor * span) - span }, count)
}

/** Moved towards older entries. */
export const panned = (view: View, count: number, entries: number): View =>
  clamped({ ...view, back: view.back + entries }, count)

/** The least movement after which `index` is seen whole. */
export function showing(view: View, count: number, index: number): View {
  const first = firstOf(view, count)
  if (index < first) return panned(view, count, first - index)
  return index + 1 > first + view.span ? panned(view, count, first + view.span - index - 1) : view
}
