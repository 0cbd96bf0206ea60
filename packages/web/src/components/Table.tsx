import { useState, type ReactNode } from 'react'
import css from './Table.module.css'

interface Props {
  caption: string
  head: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** The numbers of a chart, for screen readers and readers. Its rows are rendered when it is opened, because they follow prices. */
export function NumbersTable({ caption, head, rows }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details className={css['details']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{caption} 표로 보기</summary>
      <table className={css['table']}>
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
          {(open ? rows : []).map(({ key, cells: [first, ...rest] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {rest.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
