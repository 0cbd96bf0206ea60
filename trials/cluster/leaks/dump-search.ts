import { type Match, type SecretSearch, StreamSearch } from './secret-search.ts'

export interface DumpSearched {
  readonly rows: number
  /** Each with the table it stands in. */
  readonly found: readonly (Match & { readonly table: string })[]
}

const INSERT = /INSERT INTO (?:public\.)?(\w+) /g
/** Longer than the beginning of any insert of ours. */
const INSERT_BYTES = 80

/** Looks through a dump of plain inserts as it comes. */
export async function searchDump(dump: AsyncIterable<Buffer>, search: SecretSearch): Promise<DumpSearched> {
  const stream = new StreamSearch(search)
  const tables = new TablesOfDump()
  const matches: Match[] = []
  for await (const chunk of dump) {
    tables.push(chunk)
    matches.push(...stream.push(chunk))
  }
  matches.push(...stream.end())
  return { rows: tables.rows, found: matches.map((match) => ({ ...match, table: tables.at(match.at) })) }
}

/** Where in a dump the rows of which table begin: one table comes after the other. */
class TablesOfDump {
  readonly #begins: { readonly at: number; readonly table: string }[] = []
  #carry = ''
  /** Where the carry begins. */
  #from = 0
  rows = 0

  push(chunk: Buffer): void {
    // A letter for each byte.
    const text = this.#carry + chunk.toString('latin1')
    let seen = Math.max(0, text.length - INSERT_BYTES)
    for (const { 0: insert, 1: table = '', index } of text.matchAll(INSERT)) {
      this.rows += 1
      seen = Math.max(seen, index + insert.length)
      if (this.#begins.at(-1)?.table !== table) this.#begins.push({ at: this.#from + index, table })
    }
    this.#carry = text.slice(seen)
    this.#from += seen
  }

  at(position: number): string {
    return this.#begins.findLast(({ at }) => at <= position)?.table ?? 'the definitions'
  }
}
