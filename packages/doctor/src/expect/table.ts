import type { Source } from '../finding.ts'
import { isForm, type Form } from './forms.ts'

/** What one field of a reply is believed to be. */
export interface Expected {
  readonly form: Form
  /** All values it may have; absent: any of its form. */
  readonly codes?: readonly string[]
  /** Digger decides by it, so that it must be there and of its form; of others a blank says "no value". */
  readonly isRead: boolean
}

/** One object, or each row of one list, in the replies to a call. */
export interface Table {
  /** For people: what the reply is. */
  readonly name: string
  /** Where in the body: `output`, `output1`, `output2`; its rows, where it is a list. */
  readonly part: string
  readonly shape: 'object' | 'list' | 'listOfOne'
  readonly source: Source
  readonly fields: ReadonlyMap<string, Expected>
}

/** Of a field: its form, with `!` where Digger reads it, and after a colon the values it may have. */
type Spec = Form | `${Form}!` | `${Form}:${string}` | `${Form}!:${string}`

/** From each spec to the names of its fields, parted by spaces. */
export function table(head: Omit<Table, 'fields'>, specs: Readonly<Partial<Record<Spec, string>>>): Table {
  const fields = new Map<string, Expected>()
  for (const [spec, names = ''] of Object.entries(specs)) {
    const expected = expectedOf(spec)
    for (const name of names.trim().split(/\s+/)) fields.set(name, expected)
  }
  return { ...head, fields }
}

function expectedOf(spec: string): Expected {
  const [first = '', codes] = spec.split(':')
  const isRead = first.endsWith('!')
  const form = isRead ? first.slice(0, -1) : first
  if (!isForm(form)) throw new RangeError(`no form: ${form}`)
  return { form, isRead, ...(codes !== undefined && { codes: codes.split(',') }) }
}

/** `askp1` to `askp10`. */
export const levels = (...stems: readonly string[]): string =>
  stems.flatMap((stem) => Array.from({ length: 10 }, (_, i) => `${stem}${i + 1}`)).join(' ')
