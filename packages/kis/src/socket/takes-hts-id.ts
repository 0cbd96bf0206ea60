import type { KisSocket } from '../api-socket.ts'
import { HtsIdError, KisError } from '../errors.ts'

/**
 * Connects once to learn whether the broker takes the HTS ID: true when it registered the notices. False: nobody knows, because the
 * line did not get that far within `limitMs`. Throws HtsIdError for a wrong one. The caller closes the socket, and with it the
 * registration.
 */
export async function takesHtsId(socket: KisSocket, limitMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), limitMs)
  try {
    return await Promise.race([socket.connect().then(() => true), late.promise])
  } catch (error) {
    // Another connection with this key, or no connection at all, says nothing of the HTS ID.
    if (error instanceof KisError && !(error instanceof HtsIdError)) return false
    throw error
  } finally {
    clearTimeout(timer)
  }
}
