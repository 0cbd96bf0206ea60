import type { MapCell } from '@digger/core'

/** Rows by step down, in each the cells by step up. */
export type Cells = readonly (readonly MapCell[])[]

/** What a cell is judged by: all that was gained on the unkind way, won. */
export const judged = ({ total: [low] }: MapCell): number => low

export interface Place {
  readonly row: number
  readonly column: number
}

/** The cell that gained most, the first of equal ones; null without cells. */
export function bestPlace(cells: Cells): Place | null {
  let best: Place | null = null
  let most = -Infinity
  for (const [row, line] of cells.entries())
    for (const [column, cell] of line.entries())
      if (judged(cell) > most) {
        most = judged(cell)
        best = { row, column }
      }
  return best
}

/**
 * Percent of a cell's gain that the cells around it have on average: little means that the cell was lucky. Null: it has gained nothing, or
 * stands alone.
 */
export function neighboursShare(cells: Cells, { row, column }: Place): number | null {
  const own = cells[row]?.[column]
  if (own === undefined || judged(own) <= 0) return null
  const around = [-1, 0, 1]
    .flatMap((down) =>
      [-1, 0, 1].map((right) => (down === 0 && right === 0 ? undefined : cells[row + down]?.[column + right])),
    )
    .filter((cell) => cell !== undefined)
  if (around.length === 0) return null
  const mean = around.reduce((sum, cell) => sum + judged(cell), 0) / around.length
  return Math.round((100 * mean) / judged(own))
}

/** Shades on either side of zero. */
export const SHADES = 5

/**
 * From −SHADES, a loss as large as the largest gain or loss of the map, to SHADES; 0 only where nothing was gained or lost. By the root of
 * the amount, so that small ones differ, too.
 */
export function shadeOf(cell: MapCell, largest: number): number {
  const total = judged(cell)
  if (total === 0 || largest === 0) return 0
  return Math.sign(total) * Math.max(1, Math.ceil(SHADES * Math.sqrt(Math.abs(total) / largest)))
}

export const largestOf = (cells: Cells): number => Math.max(0, ...cells.flat().map((cell) => Math.abs(judged(cell))))

/** One path for each shade: cells of `size` px from the corner on. */
export function shadePaths(cells: Cells, size: { width: number; height: number }): ReadonlyMap<number, string> {
  const largest = largestOf(cells)
  const paths = new Map<number, string>()
  for (const [row, line] of cells.entries())
    for (const [column, cell] of line.entries()) {
      const shade = shadeOf(cell, largest)
      const [x, y] = [column * size.width, row * size.height]
      const box = `M${x.toFixed(1)} ${y.toFixed(1)}h${size.width.toFixed(1)}v${size.height.toFixed(1)}h${(-size.width).toFixed(1)}z`
      paths.set(shade, (paths.get(shade) ?? '') + box)
    }
  return paths
}

const within = (at: number, count: number) => Math.min(Math.max(at, 0), count - 1)

/** Where an arrow key leads to in a map of so many rows and columns; null: the key is none of the map's. */
export function afterMapKey(key: string, { row, column }: Place, rows: number, columns: number): Place | null {
  switch (key) {
    case 'ArrowUp':
      return { row: within(row - 1, rows), column }
    case 'ArrowDown':
      return { row: within(row + 1, rows), column }
    case 'ArrowLeft':
      return { row, column: within(column - 1, columns) }
    case 'ArrowRight':
      return { row, column: within(column + 1, columns) }
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columns - 1 }
    case 'PageUp':
      return { row: 0, column }
    case 'PageDown':
      return { row: rows - 1, column }
    default:
      return null
  }
}
