import { kstIso } from '@digger/core'
import { listSessions } from '@digger/identity'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { deviceName } from './device-name.ts'

export type AccessSessionCalls = 'sessions' | 'endSession' | 'endOtherSessions'

/** Where somebody is logged in. Ending takes access away, so it asks for no further proof. */
export function accessSessionHandlers({ database, sessions, wall }: Services): Pick<Handlers, AccessSessionCalls> {
  return {
    async sessions({ userId, caller }) {
      const rows = await listSessions(database.db, userId, wall.now())
      return rows.map(({ id, created_at, seen_at, address, agent, factor }) => ({
        id,
        createdAt: kstIso(created_at),
        usedAt: kstIso(seen_at),
        address,
        device: deviceName(agent) || '알 수 없는 기기',
        factor,
        current: id === caller.id,
      }))
    },
    async endSession({ userId, params: { sessionId } }) {
      await sessions.endSome(userId, { id: sessionId })
      return {}
    },
    // An administrator's own session is none of another's: all of theirs end.
    endOtherSessions: async ({ userId, caller }) => ({
      ended: await sessions.endSome(userId, { allBut: caller.id }),
    }),
  }
}
