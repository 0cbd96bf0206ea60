import { join } from 'node:path'

/** Person number `n` of a run. */
export const personOf = (n: number): { readonly email: string; readonly password: string } => ({
  email: `member${n}@example.com`,
  password: `cluster-of-${n}`,
})

/** So many of them use their screens during a run. */
export const ACTIVE_PEOPLE = 4

/** The cookies of the active people, as JSON. Sessions are in the database: they hold at every gateway. */
export const sessionsIn = (folder: string): string => join(folder, 'sessions.json')
