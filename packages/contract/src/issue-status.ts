import { z } from 'zod'

/**
 * What the exchange has designated an issue as, or does to its trading; the gravest first. Core has the same list with names and
 * meanings, which a test of the screens compares. `unknown`: the broker said what is in none of its tables.
 */
export const IssueStatus = z.enum([
  'liquidation',
  'administrative',
  'risk',
  'warning',
  'halted',
  'interrupted',
  'overheated',
  'caution',
  'unknown',
])
export type IssueStatus = z.infer<typeof IssueStatus>
