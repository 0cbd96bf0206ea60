import type { Draft } from './draft.ts'

/** Book and broker must be compared by a reading asked from now on before anything is automatic again. */
export function disarm(draft: Draft): void {
  const { now } = draft.ctx
  draft.know({ armed: false, linkedAt: now, lastComparedAt: 0, readAt: now })
}
