/** Height of a tag, and from the middle of one to the middle of the next at least, px. */
export const TAG_HEIGHT = 22
export const TAG_DISTANCE = 24
/** An axis value that is closer to the middle of a tag is left out, px. */
const VALUE_DISTANCE = 18

export interface Placed<T> {
  tag: T
  /** Middle of the tag, px from the top. */
  at: number
}

/**
 * Where tags stand that point at heights `y`: in their order, none on another, none out of the plot, and together as near to their
 * heights as that allows. The first are the most important: what has no room in a low plot is left out from the end.
 */
export function placeTags<T extends { y: number }>(tags: readonly T[], top: number, bottom: number): Placed<T>[] {
  const first = Math.ceil(top + TAG_HEIGHT / 2)
  const last = Math.floor(bottom - TAG_HEIGHT / 2)
  const room = last < first ? 0 : Math.floor((last - first) / TAG_DISTANCE) + 1
  const kept = tags.slice(0, room).toSorted((a, b) => a.y - b.y)
  // With the distance of their places taken off, tags that push each other stand at one height: the mean of what they want.
  const offsets = pooled(kept.map(({ y }, place) => y - place * TAG_DISTANCE))
  const highest = last - (kept.length - 1) * TAG_DISTANCE
  return kept.map((tag, place) => ({
    tag,
    at: Math.round(Math.min(Math.max(offsets[place] ?? first, first), highest)) + place * TAG_DISTANCE,
  }))
}

/** The nearest values that never fall (pool of adjacent violators). */
function pooled(wanted: readonly number[]): number[] {
  const pools: { sum: number; size: number }[] = []
  for (const value of wanted) {
    let pool = { sum: value, size: 1 }
    for (let before = pools.at(-1); before && mean(before) > mean(pool); before = pools.at(-1)) {
      pools.pop()
      pool = { sum: before.sum + pool.sum, size: before.size + pool.size }
    }
    pools.push(pool)
  }
  return pools.flatMap((pool) => Array.from({ length: pool.size }, () => mean(pool)))
}

const mean = ({ sum, size }: { sum: number; size: number }): number => sum / size

/** Axis values that no tag and no value before is too close to. */
export function freeValues(
  values: readonly number[],
  y: (value: number) => number,
  tags: readonly { at: number }[],
): number[] {
  const taken = tags.map(({ at }) => at)
  return values.filter((value) => {
    const isFree = taken.every((at) => Math.abs(at - y(value)) >= VALUE_DISTANCE)
    if (isFree) taken.push(y(value))
    return isFree
  })
}

/** Labels below a plot: those kept are at least so far from each other, px from middle to middle; the first of two stays. */
export function spaced<T extends { x: number }>(labels: readonly T[], distance: number, taken: number | null): T[] {
  const kept: T[] = []
  for (const label of labels) {
    const near = (x: number | undefined | null) => x !== undefined && x !== null && Math.abs(label.x - x) < distance
    if (!near(kept.at(-1)?.x) && !near(taken)) kept.push(label)
  }
  return kept
}
