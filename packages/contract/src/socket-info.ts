import { z } from 'zod'
import { instant } from './scalars.ts'

export const SocketInfo = z.object({
  connected: z.boolean(),
  /** The broker refused the key or the HTS ID: it goes on only with others. */
  refused: z.boolean(),
  connectedAt: instant.nullable(),
  orderedAt: instant.nullable(),
  disconnectedAt: instant.nullable(),
  updatedAt: instant.nullable(),
  stocks: z.array(z.object({ code: z.string(), name: z.string(), updatedAt: instant.nullable() })),
})
