import type { QueryClient } from '@tanstack/react-query'
import { read } from '../../../api/read.ts'
import { ME } from '../../../url/user.ts'
import { addDevice } from './addDevice.ts'
import { deviceState } from './deviceState.ts'
import { readFacts } from './pushDevice.ts'

/**
 * Adds this device again where its browser got another address since: whoever is told by it seldom opens the page that would
 * show it. What fails is tried at the next visit.
 */
export async function repairDevice(client: QueryClient): Promise<void> {
  const facts = await readFacts()
  const { remembered, subscription } = facts
  if (subscription === null || remembered.every(({ endpoint }) => endpoint === subscription.endpoint)) return
  const setupQuery = read('notificationSetup', { params: { userId: ME } })
  const setup = await client.fetchQuery(setupQuery)
  if (deviceState(facts, setup.channels, setup.offered.push) !== 'moved') return
  const repaired = await addDevice(ME, setup, () => undefined)
  if (repaired) client.setQueryData(setupQuery.queryKey, repaired)
}
