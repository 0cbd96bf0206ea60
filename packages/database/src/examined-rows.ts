/** What one check of a connection to the broker found. */
export interface ExaminedRow {
  key: string
  name: string
  findings: {
    level: 'ok' | 'note' | 'wrong' | 'notOffered' | 'notTried'
    text: string
    fields?: string[]
    believed?: string
    came?: string
    source?: { label: 'D' | 'S' | 'K' | 'M' | 'R' | 'X' | '?'; section: string }
  }[]
}
