/** What goes to one person over one channel. Every try of the same one has the same id. */
export interface Outgoing {
  /** `[A-Za-z0-9-]{1,32}`: by it whoever receives the same one twice can see that. */
  readonly id: string
  /** One line. */
  readonly title: string
  readonly lines: readonly string[]
  /** Arrives without a sound. */
  readonly silent: boolean
  /** Page of Digger to open, absolute https address or a path; null: none. */
  readonly url: string | null
  /** Epoch ms when it was made. */
  readonly at: number
}

/**
 * What came of it, `why` in a sentence for the page, without secrets. `again`: later, no sooner than `afterMs` where the other side
 * says so. `dead`: this address takes nothing any more (unsubscribed, blocked, wrong), so that nothing more is sent there.
 */
export type Sent =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly afterMs: number | null; readonly why: string }
  | { readonly kind: 'dead'; readonly why: string }

export interface Channel<Address> {
  /** Never rejects for what the other side does. */
  send(address: Address, outgoing: Outgoing): Promise<Sent>
}

export const SENT: Sent = { kind: 'sent' }
export const again = (why: string, afterMs: number | null = null): Sent => ({ kind: 'again', afterMs, why })
export const dead = (why: string): Sent => ({ kind: 'dead', why })
