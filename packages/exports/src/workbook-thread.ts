import { parentPort } from 'node:worker_threads'
import writeXlsxFile, { type Cell as XlsxCell, type Row } from 'write-excel-file/node'
import type { Cell } from './table.ts'
import type { ToThread } from './workbook.ts'

interface Written {
  readonly sheet: string
  readonly data: Row[]
  readonly stickyRowsCount: number
  readonly columns: { width: number }[]
}

/** Characters; a heading is half as wide as its Korean letters want. */
const MIN_WIDTH = 11
const MAX_WIDTH = 40

const sheets: Written[] = []

parentPort?.on('message', (message: ToThread) => {
  if (message === null) void send()
  else if ('sheet' in message) {
    const { name, headings } = message.sheet
    const data = [headings.map((heading): XlsxCell => ({ value: heading, type: String, fontWeight: 'bold' }))]
    const columns = headings.map((heading) => ({ width: Math.max(MIN_WIDTH, heading.length * 2 + 2) }))
    sheets.push({ sheet: name, data, stickyRowsCount: 1, columns })
  } else for (const row of message.rows) add(row)
})

function add(row: readonly Cell[]): void {
  const sheet = sheets.at(-1)
  if (sheet === undefined) return
  sheet.data.push(row.map(cellOf))
  // What runs over many columns is a note.
  if (row.length <= 1) return
  for (const [at, cell] of row.entries()) {
    const column = sheet.columns[at]
    if (column !== undefined && typeof cell === 'string')
      column.width = Math.max(column.width, Math.min(MAX_WIDTH, cell.length + 2))
  }
}

/**
 * The library looks texts up in a plain object: one that is also the name of what every object has ("constructor") would leave a cell
 * that no spreadsheet can read. A space makes it another text.
 */
const OF_EVERY_OBJECT: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Text is never a formula: its type says so. */
function cellOf(cell: Cell): XlsxCell {
  if (cell === null || cell === '') return null
  if (typeof cell === 'string') return { value: OF_EVERY_OBJECT.has(cell) ? `${cell} ` : cell, type: String }
  return { value: cell, type: Number, format: Number.isInteger(cell) ? '#,##0' : '#,##0.00' }
}

async function send(): Promise<void> {
  const bytes = await writeXlsxFile(sheets).toBuffer()
  parentPort?.postMessage(bytes, [])
}
