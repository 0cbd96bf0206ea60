import type { Reply } from '@digger/contract'

export type AuditEntry = Reply<'audit'>[number]
/** Names of stocks by their codes. */
export type Names = ReadonlyMap<string, string>

/** A code as a word of its own; the six digits of an amount or an order's number are none that has a name. */
const CODE = /(?<![\d\w,.-])[0-9A-Z]{6}(?![\d\w,.-])/g

/** `005930` → `005930 삼성전자`, where the name is known and does not stand there already. */
export const withNames = (detail: string, names: Names): string =>
  detail.replace(CODE, (code) => {
    const name = names.get(code)
    return name === undefined || detail.includes(name) ? code : `${code} ${name}`
  })

/** The lines that have every word of the text somewhere, in any case of letters. */
export function matching(entries: readonly AuditEntry[], text: string, names: Names): readonly AuditEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter(({ by, action, detail }) => {
    const line = `${by} ${action} ${withNames(detail, names)}`.toLowerCase()
    return words.every((word) => line.includes(word))
  })
}
