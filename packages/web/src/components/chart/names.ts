/** A rectangle of the picture, px. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const overlap = (a: Box, b: Box): boolean =>
  a.left <= b.left + b.width && b.left <= a.left + a.width && a.top <= b.top + b.height && b.top <= a.top + a.height

/** Space between a name and its line, px. */
const GAP = 2

/**
 * Where the name of a line at height `y` is written: above or below it, as far left as no candle (stick) is in the way,
 * else where the fewest are. Null when every place is taken by other names.
 */
export function placeName(
  frame: Box,
  y: number,
  { width, height }: Pick<Box, 'width' | 'height'>,
  { sticks, taken }: { sticks: readonly Box[]; taken: readonly Box[] },
): Box | null {
  let best: { box: Box; hidden: number } | null = null
  const last = frame.left + frame.width - width
  const tops = [y - height - GAP, y + GAP].filter((top) => top >= frame.top && top + height <= frame.top + frame.height)
  for (let left = frame.left; left <= last; left += Math.max(width / 4, 1)) {
    for (const top of tops) {
      const box = { left, top, width, height }
      if (taken.some((other) => overlap(box, other))) continue
      const hidden = sticks.filter((stick) => overlap(box, stick)).length
      if (hidden === 0) return box
      if (best === null || hidden < best.hidden) best = { box, hidden }
    }
  }
  return best?.box ?? null
}
