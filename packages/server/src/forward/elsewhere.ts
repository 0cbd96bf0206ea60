import type { Bus, Owners } from '@digger/cluster'
import type { Clock } from '@digger/database'
import type { LiveSource } from '@digger/screens'
import { AccountStates } from './account-states.ts'
import { CallForwarder } from './forward-calls.ts'
import { RemoteLive } from './remote-live.ts'

/** How a gateway reaches accounts: sends calls to whoever has them, brings their live changes, and asks how they are. */
export interface Elsewhere {
  readonly forwarder: CallForwarder
  readonly live: LiveSource
  readonly states: Pick<AccountStates, 'of'>
}

export const elsewhereOf = (parts: {
  readonly bus: Bus
  readonly owners: Owners
  readonly clock: Clock
}): Elsewhere => ({
  forwarder: new CallForwarder(parts),
  live: new RemoteLive(parts),
  states: new AccountStates(parts),
})
