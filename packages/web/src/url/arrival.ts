import { useHistoryState } from 'wouter/use-browser-location'
import { ME, pathUserOf } from './user.ts'

/** What the log-in page is given by the page before; kept in the entry of the history, so that no address shows it. */
interface Arrival {
  /** Where somebody was, or wanted to go, when the log-in was asked for. */
  next?: string
  /** The e-mail address that has just signed up. */
  joined?: string
}

export const useArrival = (): Arrival => arrivalOf(useHistoryState())

export function arrivalOf(state: unknown): Arrival {
  if (typeof state !== 'object' || state === null) return {}
  const { next, joined } = { next: undefined, joined: undefined, ...state }
  return {
    ...(typeof next === 'string' && isDeepLink(next) && { next }),
    ...(typeof joined === 'string' && { joined }),
  }
}

/** Where everybody without a deep link begins. */
const START = new Set(['/', `/${ME}/balance`, '/login', '/join'])

/** A page of this server, other than where one goes anyway. */
function isDeepLink(path: string): boolean {
  const elsewhere = 'https://elsewhere.invalid'
  // A browser reads //host and /\host as another server.
  return path.startsWith('/') && new URL(path, elsewhere).origin === elsewhere && !START.has(path)
}

interface LoggedIn {
  userId: string
  diggerAdmin: boolean
}

/** Where the log-in leads: where one was, if that is this person's to see; else administrators to all users, others to / (spec 2). */
export function afterLogin({ next }: Arrival, { userId, diggerAdmin }: LoggedIn): string {
  if (diggerAdmin) return next ?? `/${ME}/admin/user`
  if (next === undefined) return '/'
  const { pathname } = new URL(next, 'https://here.invalid')
  const isOwn = [ME, userId].includes(pathUserOf(pathname))
  return isOwn && !pathname.split('/').includes('admin') ? next : '/'
}
