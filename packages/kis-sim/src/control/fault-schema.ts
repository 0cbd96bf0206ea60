import { z } from 'zod'

const aim = {
  account: z
    .string()
    .regex(/^\d{10}$/, 'ten digits')
    .exactOptional(),
  endpoint: z.string().exactOptional(),
  probability: z.number().min(0).max(1).exactOptional(),
  times: z.number().int().positive().exactOptional(),
}
const ms = z.number().nonnegative()
const status = z.number().int().min(200).max(599).exactOptional()
const how = z.enum(['reset', 'hang']).exactOptional()
const carriedOut = z.boolean().exactOptional()

/** A fault as it is ordered from another process. */
export const NewFault = z.discriminatedUnion('kind', [
  z.strictObject({ ...aim, kind: z.literal('loseRequest'), how }),
  z.strictObject({ ...aim, kind: z.literal('lateRequest'), ms, how }),
  z.strictObject({ ...aim, kind: z.literal('loseReply'), how }),
  z.strictObject({ ...aim, kind: z.literal('delay'), ms }),
  z.strictObject({ ...aim, kind: z.literal('code'), code: z.string(), status, carriedOut }),
  z.strictObject({
    ...aim,
    kind: z.literal('broken'),
    body: z.enum(['empty', 'html', 'blank']).exactOptional(),
    status,
    carriedOut,
  }),
  z.strictObject({ ...aim, kind: z.literal('refuse'), code: z.string(), text: z.string() }),
  z.strictObject({ ...aim, kind: z.literal('noticeFirst'), ms: ms.exactOptional() }),
  z.strictObject({ ...aim, kind: z.enum(['dropNotice', 'duplicateNotice', 'reorderNotice']) }),
  z.strictObject({ ...aim, kind: z.enum(['delayNotice', 'listingLag', 'balanceLag']), ms }),
  z.strictObject({ ...aim, kind: z.enum(['cut', 'close', 'freeze', 'rejectLater', 'doubleRequest', 'phantom']) }),
])
