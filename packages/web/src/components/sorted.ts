export type Sortable = number | string | null

export interface Order {
  readonly name: string
  readonly descending: boolean
}

const korean = new Intl.Collator('ko')

/** In this order; what is not known comes last either way, and equals stay as they were. */
export function sorted<Row>(rows: readonly Row[], by: (row: Row) => Sortable, descending: boolean): Row[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : korean.compare(String(a), String(b)))
  })
}
