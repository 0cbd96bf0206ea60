import type { Clock } from '@digger/database'
import type { LiveSource } from '@digger/screens'
import { AccountStates } from './account-states.ts'
import { CallForwarder, type ForwardParts } from './forward-calls.ts'
import { RemoteLive } from './remote-live.ts'

/** How a gateway reaches accounts: sends calls to whoever has them, brings their live changes, and asks how they are. */
export interface Elsewhere {
  readonly forwarder: CallForwarder
  readonly live: LiveSource
  readonly states: Pick<AccountStates, 'of'>
}

export const elsewhereOf = (parts: ForwardParts & { readonly clock: Clock }): Elsewhere => ({
  forwarder: new CallForwarder(parts),
  live: new RemoteLive(parts),
  states: new AccountStates(parts),
})
