import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { background } from '@digger/database'
import { PAGE_ROWS } from './pages.ts'
import { cellsOf, type Cell, type Column } from './table.ts'

/** A sheet of a workbook, its headings in the first row. */
export interface Sheet {
  readonly name: string
  readonly headings: readonly string[]
  readonly rows: Iterable<readonly Cell[]>
  /** Sentences below the rows. */
  readonly notes: readonly string[]
}

export const sheetOf = <Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  notes: readonly string[] = [],
): Sheet => ({ name, headings: columns.map(({ heading }) => heading), rows: cellRows(columns, rows), notes })

function* cellRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Generator<Cell[]> {
  for (const row of rows) yield cellsOf(columns, row)
}

/** To the thread: a sheet begins, or rows of the last one; null: that was all. */
export type ToThread =
  | { readonly sheet: Pick<Sheet, 'name' | 'headings'> }
  | { readonly rows: readonly (readonly Cell[])[] }
  | null

/** The largest workbook needs about half of it, MB. */
const THREAD_MEMORY_MB = 1_024

/**
 * The sheets as an xlsx file. It is written in a thread of its own: a year of many trades takes seconds, which no order may wait for.
 * Rows go there in pages, each in a turn that nothing else needs.
 */
export async function writeWorkbook(sheets: readonly Sheet[]): Promise<Buffer> {
  const thread = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  })
  try {
    // Rejects with what goes wrong in the thread.
    const written = once(thread, 'message')
    const send = (message: ToThread) => thread.postMessage(message, [])
    await Promise.race([written, sendAll(sheets, send)])
    const [bytes]: Uint8Array[] = await written
    if (bytes === undefined) throw new Error('the thread has written no workbook')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } finally {
    await thread.terminate()
  }
}

async function sendAll(sheets: readonly Sheet[], send: (message: ToThread) => void): Promise<void> {
  for (const { name, headings, rows, notes } of sheets) {
    await background.own()
    send({ sheet: { name, headings } })
    let page: (readonly Cell[])[] = []
    for (const row of rows) {
      page.push(row)
      if (page.length < PAGE_ROWS) continue
      send({ rows: page })
      page = []
      await background.own()
    }
    if (page.length > 0) send({ rows: page })
    if (notes.length > 0) send({ rows: [[], ...notes.map((note) => [note])] })
  }
  send(null)
}
