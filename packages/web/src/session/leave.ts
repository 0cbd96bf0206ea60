import type { QueryClient } from '@tanstack/react-query'
import { send } from '../api/send.ts'

/** Ends the session, forgets everything that was read, and goes to /. */
export async function leave(client: QueryClient, admin: boolean): Promise<void> {
  const done = await (admin ? send('adminLogout', {}) : send('logout', {}))
  if (done === null) return
  client.clear()
  // A full load: nothing of the old person stays in the page's memory.
  location.assign('/')
}
