import { useMemo, useState, type ReactNode } from 'react'
import css from './SortableTable.module.css'
import { sorted, type Order, type Sortable } from './sorted.ts'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** What the column is sorted by; without it the column cannot be sorted. */
  by?: (row: Row) => Sortable
  /** Words stand at the left; figures, which are usual, at the right. */
  text?: boolean
}

interface Props<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** A press on the first cell of a row. */
  onOpen?: (row: Row) => void
  /** A button at the end of each row: what can be done with it. */
  renderMenu?: (row: Row) => ReactNode
}

/** A table for wide windows: a press on a heading sorts by it, another turns the order round, a third leaves it as it came. */
export function SortableTable<Row>({ caption, columns, rows, keyOf, onOpen, renderMenu }: Props<Row>) {
  const [order, setOrder] = useState<Order | null>(null)
  const by = order === null ? undefined : columns.find(({ name }) => name === order.name)?.by
  const shown = order === null || by === undefined ? rows : sorted(rows, by, order.descending)
  return (
    <div className={css['scroll']}>
      <table className={css['table']}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} order={order} onSort={setOrder} />
            ))}
            {renderMenu && (
              <th scope="col">
                <span className="unseen">메뉴</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Line key={keyOf(row)} row={row} columns={columns} onOpen={onOpen} renderMenu={renderMenu} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LineProps<Row> extends Pick<Props<Row>, 'columns'> {
  row: Row
  onOpen: ((row: Row) => void) | undefined
  renderMenu: ((row: Row) => ReactNode) | undefined
}

/** Drawn anew only when its own row changes, where the columns stay the same ones. */
function Line<Row>({ row, columns, onOpen, renderMenu }: LineProps<Row>) {
  return useMemo(
    () => (
      <tr>
        {columns.map(({ name, cell, text = false }, at) =>
          at === 0 ? (
            <th key={name} scope="row">
              {onOpen ? (
                <button type="button" className={css['open']} onClick={() => onOpen(row)}>
                  {cell(row)}
                </button>
              ) : (
                cell(row)
              )}
            </th>
          ) : (
            <td key={name} data-text={text}>
              {cell(row)}
            </td>
          ),
        )}
        {renderMenu && <td>{renderMenu(row)}</td>}
      </tr>
    ),
    [row, columns, onOpen, renderMenu],
  )
}

interface HeadingProps<Row> {
  column: Column<Row>
  order: Order | null
  onSort: (order: Order | null) => void
}

function Heading<Row>({ column: { name, by, text = false }, order, onSort }: HeadingProps<Row>) {
  const mine = order?.name === name ? order : null
  const sort = mine === null ? 'none' : mine.descending ? 'descending' : 'ascending'
  return (
    <th scope="col" data-text={text} aria-sort={by && sort}>
      {by ? (
        <button type="button" className={css['sort']} onClick={() => onSort(nextOrder(name, mine))}>
          {name}
          <span aria-hidden="true">{MARKS[sort]}</span>
        </button>
      ) : (
        name
      )}
    </th>
  )
}

const MARKS = { none: '', ascending: ' ↑', descending: ' ↓' } as const

/** Figures are looked at from the largest on. */
const nextOrder = (name: string, now: Order | null): Order | null =>
  now === null ? { name, descending: true } : now.descending ? { name, descending: false } : null
