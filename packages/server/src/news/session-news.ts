import type { Bus } from '@digger/cluster'
import type { Sessions } from '@digger/identity'
import { z } from 'zod'

const SUBJECT = 'digger.sessions'

const Ended = z.union([z.object({ sessionId: z.string() }), z.object({ userId: z.string() })])

/**
 * Sessions that end in one process end in all of them at once. Where the news is lost memory forgets by itself within seconds.
 * Returns the way to end it.
 */
export function tellEndedSessions(bus: Bus, sessions: Sessions): () => void {
  const ends = [
    sessions.onEndedHere((ended) => bus.publish(SUBJECT, Buffer.from(JSON.stringify(ended)))),
    bus.subscribe(SUBJECT, (data) => {
      const { data: ended } = Ended.safeParse(JSON.parse(Buffer.from(data).toString()))
      if (ended !== undefined) sessions.forget(ended)
    }),
    bus.onGap(() => sessions.forgetAll()),
  ]
  return () => {
    for (const end of ends) end()
  }
}
