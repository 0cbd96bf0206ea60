import { useState, type ReactNode } from 'react'
import css from './Table.module.css'

interface Props {
  caption: string
  head: readonly string[]
  /** The first cell of a row is its name. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A table whose cells may have two lines. */
export const Table = (props: Props) => <Rows {...props} wrap />

/** The numbers of a chart, for screen readers and readers. Its rows are made when it is opened, because they follow prices. */
export function NumbersTable({ caption, head, rows }: Omit<Props, 'rows'> & { rows: () => Props['rows'] }) {
  const [open, setOpen] = useState(false)
  return (
    <details className={css['details']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{caption} 표로 보기</summary>
      <Rows caption={caption} head={head} rows={open ? rows() : []} wrap={false} />
    </details>
  )
}

function Rows({ caption, head, rows, wrap }: Props & { wrap: boolean }) {
  return (
    <table className={css['table']} data-wrap={wrap}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...rest] }) => (
          <tr key={key}>
            <th scope="row">{first}</th>
            {rest.map((cell, index) => (
              <td key={head[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
