import type { Session } from '@digger/identity'

/** Who asks, and whose account it is about: empty for a call about none. */
export interface Granted {
  readonly caller: Session | null
  readonly userId: string
}
