import { isDay } from '@digger/core'
import { z } from 'zod'
import type { Happening } from './happening.ts'
import { WARNINGS } from './universe.ts'

const code = z.string().min(1)
const instant = z.number().int().nonnegative()
const day = z.string().refine(isDay, 'a day as YYYYMMDD')
const span = { from: instant, until: instant }

/** A happening as it is ordered from another process, or was stored. */
export const HappeningSchema: z.ZodType<Happening> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['nxtDropped', 'nxtAdded']), code, day }),
  z.strictObject({ kind: z.literal('nxtSuspended'), code, ...span }),
  z.strictObject({
    kind: z.literal('warned'),
    code,
    day,
    as: z.enum(WARNINGS).nullable(),
  }),
  z.strictObject({ kind: z.literal('halted'), code, ...span }),
  z.strictObject({
    kind: z.literal('circuitBreaker'),
    at: instant,
    market: z.enum(['KOSPI', 'KOSDAQ']).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('singlePrice'), code, from: day, until: day }),
  z.strictObject({
    kind: z.literal('corporateAction'),
    as: z.enum(['bonusIssue', 'rightsIssue', 'stockDividend', 'split']),
    code,
    exDay: day,
    creditDay: day,
    ratio: z.number().positive(),
    paid: z.number().nonnegative(),
  }),
  z.strictObject({
    kind: z.literal('merged'),
    code,
    into: code,
    stopsOn: day,
    day,
    ratio: z.number().positive(),
  }),
  z.strictObject({ kind: z.literal('dividend'), code, exDay: day, payDay: day, won: z.number().positive() }),
])
