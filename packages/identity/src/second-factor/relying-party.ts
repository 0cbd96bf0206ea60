/** For whom passkeys are made: by the configuration alone, whatever name a request came under. */
export interface RelyingParty {
  /** The domain that passkeys are bound to (rpId). */
  readonly id: string
  /** Scheme, host and port of the pages that may use them. */
  readonly origins: readonly string[]
}
