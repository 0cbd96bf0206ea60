/**
 * For whom passkeys are made, by the configuration alone: the domain that they are bound to, and the pages that may use them. `rpId`
 * undefined: the host of the first public address, or localhost without one. A page of any other address than the public ones counts
 * on no passkey; where there is none, the pages of this machine's own name may.
 */
export function relyingPartyOf(
  rpId: string | undefined,
  publicUrls: readonly string[],
  port: number,
): { readonly id: string; readonly origins: readonly string[] } {
  const [first] = publicUrls
  const id = rpId ?? (first === undefined ? 'localhost' : new URL(first).hostname)
  const own = publicUrls.filter((url) => isWithin(new URL(url).hostname, id))
  return { id, origins: own.length > 0 || id !== 'localhost' ? own : [`http://localhost:${port}`] }
}

/** Whether a page of this host may use passkeys of that domain (WebAuthn: the same, or a registrable suffix). */
export const isWithin = (host: string, rpId: string): boolean => host === rpId || host.endsWith(`.${rpId}`)
