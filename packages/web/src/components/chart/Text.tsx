import type { Label } from './labels.ts'

/** A text of a chart where its label says. */
export const Text = ({ label: { text, x, y, anchor } }: { label: Label }) => (
  <text x={x} y={y} dy="0.35em" textAnchor={anchor}>
    {text}
  </text>
)
