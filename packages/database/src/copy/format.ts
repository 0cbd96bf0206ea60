/*
 * A dump is gzipped text, one JSON value a line. The first is the header; then for each table one array with its name
 * and columns and one object for each row, as PostgreSQL writes it; at last an array with the number of all rows.
 */

export const DUMP_FORM = 1

export interface DumpHeader {
  readonly form: number
  /** Version of the program that wrote it. */
  readonly version: string
  /** Version of the PostgreSQL it was written from. */
  readonly postgres: string
  /** Changes of the tables that were done, and the version that did them (null: not recorded). */
  readonly migrations: readonly { readonly name: string; readonly byVersion: string | null }[]
}

export const headerLine = (header: DumpHeader): string => `${JSON.stringify({ digger: 'dump', ...header })}\n`
export const tableLine = (name: string, columns: readonly string[]): string => `${JSON.stringify([name, columns])}\n`
export const endLine = (rows: number): string => `${JSON.stringify([rows])}\n`

/** Null for a line that is no header of ours. */
export function parseHeader(line: string): DumpHeader | null {
  try {
    const header: Partial<DumpHeader> & { digger?: string } = JSON.parse(line)
    const { digger, form, version = '', postgres = '', migrations } = header
    return digger === 'dump' && form === DUMP_FORM && migrations ? { form, version, postgres, migrations } : null
  } catch {
    return null
  }
}

export type DumpLine =
  | { readonly kind: 'row' }
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'end'; readonly rows: number }

/** Rows are not parsed here: PostgreSQL reads what PostgreSQL wrote. */
export function parseLine(line: string): DumpLine {
  if (!line.startsWith('[')) return { kind: 'row' }
  const [first, columns]: [string | number, string[]?] = JSON.parse(line)
  return typeof first === 'number'
    ? { kind: 'end', rows: first }
    : { kind: 'table', name: first, columns: columns ?? [] }
}
