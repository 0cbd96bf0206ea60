import { z } from 'zod'

/** Of the journal's facts those that the watcher reads, in its own words; all others pass by. */
const at = z.number()
const stop = z.enum(['active', 'reduce', 'halt'])
const orderId = z.number().int()
const Order = z.object({
  id: orderId,
  code: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  count: z.number().int().positive(),
  price: z.number().int().nonnegative(),
  day: z.string().regex(/^\d{8}$/),
})
const numbered = { at, orderId, odno: z.string().regex(/^\d+$/) }
const Fact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('orderIntended'), at, order: Order }),
  z.object({ kind: z.literal('orderAccepted'), ...numbered }),
  z.object({ kind: z.literal('orderFound'), ...numbered }),
  z.object({ kind: z.literal('orderFilled'), at, orderId, count: z.number().int() }),
  z.object({ kind: z.literal('userStopped'), at, stop }),
  z.object({ kind: z.literal('limitReached'), at }),
  z.object({ kind: z.literal('stockStopped'), at, code: z.string(), stop }),
  z.object({ kind: z.literal('stockLimitReached'), at, code: z.string() }),
  z.object({ kind: z.literal('stockBlocked'), at, code: z.string(), blocked: z.unknown() }),
  z.object({ kind: z.literal('stockAdded'), at, code: z.string() }),
  z.object({ kind: z.literal('stockRemoved'), at, code: z.string() }),
])
export type JournalFact = z.output<typeof Fact>
export type Stop = z.output<typeof stop>
export type JournalOrder = z.output<typeof Order>

const KINDS = new Set<unknown>(Fact.options.map(({ shape }) => shape.kind.value))
const Kind = z.object({ kind: z.string() })

/** Null for a kind that says nothing here. Throws for a fact of a known kind that cannot be read. */
export function factOf(json: unknown): JournalFact | null {
  return KINDS.has(Kind.parse(json).kind) ? Fact.parse(json) : null
}
