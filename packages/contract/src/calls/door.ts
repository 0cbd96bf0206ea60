import { accessSessionCalls } from './access-session.ts'
import { factorCalls } from './factor.ts'
import { sessionCalls } from './session.ts'

/** Who somebody is, by what they prove it, and where they are logged in. */
export const doorCalls = { ...sessionCalls, ...factorCalls, ...accessSessionCalls }
