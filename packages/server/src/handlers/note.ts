import type { UserRow } from '@digger/database'
import { lineAtEnd } from '@digger/http'
import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../services.ts'

type Writer = Pick<UserRow, 'id' | 'email'>

/** Who logged in and out, in the log the user reads. It is done by then: a failure is logged, not thrown. */
export function note(
  { database, clock }: Services,
  log: FastifyBaseLogger,
  { id, email }: Writer,
  entry: { readonly action: string; readonly detail: string },
): Promise<void> {
  return lineAtEnd({ db: database.db, log }, { at: clock.now(), user_id: id, by_email: email, ...entry }).end(
    entry.detail,
  )
}

/** How somebody logs in, over their channels. Never throws: what it is about has happened. */
export async function reportAccess(
  { notifications }: Pick<Services, 'notifications'>,
  { userId, log }: { readonly userId: string; readonly log: FastifyBaseLogger },
  text: string,
): Promise<void> {
  await notifications
    ?.accessChanged(userId, text)
    .catch((error: unknown) => log.error({ err: error, userId }, 'nobody is told of a changed or tried log-in'))
}
