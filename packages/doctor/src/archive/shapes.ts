import { isOfForm } from '../expect/forms.ts'
import { isRow } from '../reply.ts'
import type { FiledReply } from './filed-reply.ts'

/** A field that two replies to the same call do not have alike. */
export interface ShapeDifference {
  readonly call: string
  readonly field: string
  readonly what: 'only in the first' | 'only in the second' | 'another form'
}

/**
 * What is different between the replies of two brokers to the same calls, as of the real one and the pretended one: fields and how
 * their values are written, not the values.
 */
export function compareShapes(first: readonly FiledReply[], second: readonly FiledReply[]): ShapeDifference[] {
  const [ours, theirs] = [shapesOf(first), shapesOf(second)]
  return [...ours].flatMap(([call, fields]) => {
    const others = theirs.get(call)
    return others === undefined ? [] : differences(call, fields, others)
  })
}

type Shape = ReadonlyMap<string, ReadonlySet<string>>

function differences(call: string, ours: Shape, theirs: Shape): ShapeDifference[] {
  const of = (field: string, what: ShapeDifference['what']): ShapeDifference => ({ call, field, what })
  return [
    ...[...ours.keys()].filter((field) => !theirs.has(field)).map((field) => of(field, 'only in the first')),
    ...[...theirs.keys()].filter((field) => !ours.has(field)).map((field) => of(field, 'only in the second')),
    ...[...ours].flatMap(([field, forms]) => {
      const others = theirs.get(field)
      const isAlike =
        others === undefined || [...forms].some((form) => others.has(form)) || forms.size === 0 || others.size === 0
      return isAlike ? [] : [of(field, 'another form')]
    }),
  ]
}

function shapesOf(replies: readonly FiledReply[]): Map<string, Map<string, Set<string>>> {
  const shapes = new Map<string, Map<string, Set<string>>>()
  for (const reply of replies) {
    if (!isRow(reply.body) || reply.body['rt_cd'] !== '0') continue
    const fields = shapes.get(reply.call) ?? new Map<string, Set<string>>()
    shapes.set(reply.call, fields)
    collect(reply.body, fields, '')
  }
  return shapes
}

function collect(value: unknown, fields: Map<string, Set<string>>, name: string): void {
  if (Array.isArray(value)) for (const one of value) collect(one, fields, name)
  else if (isRow(value))
    for (const [key, one] of Object.entries(value)) collect(one, fields, name === '' ? key : `${name}.${key}`)
  else {
    const forms = fields.get(name) ?? new Set<string>()
    fields.set(name, forms)
    if (typeof value !== 'string' || value.trim() !== '') forms.add(formOf(value))
  }
}

/** How a value is written: what kind of value, and how many decimals. */
function formOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value
  const text = value.trim()
  if (isOfForm(text, 'day')) return 'day'
  if (/^-?\d+$/.test(text)) return 'whole'
  const decimals = /^-?\d+\.(\d+)$/.exec(text)?.[1]
  if (decimals !== undefined) return `decimals ${decimals.length}`
  return /^[YN]$/.test(text) ? 'yn' : 'text'
}
