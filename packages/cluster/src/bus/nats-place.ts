/** Where the NATS servers are, and who we are there. */
export interface NatsPlace {
  /** `nats://` or `tls://` addresses, without user and password. */
  readonly servers: readonly string[]
  readonly user?: string
  readonly password?: string
  /** Given: nothing is sent without TLS. */
  readonly tls?: { readonly caFile?: string }
}

/** Of addresses separated by commas; user and password are those of the first that has them. */
export function natsPlaceOf(text: string, caFile?: string): NatsPlace {
  const urls = text.split(',').map((part) => new URL(part.trim()))
  const named = urls.find(({ username }) => username !== '')
  const isTls = caFile !== undefined || urls.some(({ protocol }) => protocol === 'tls:')
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(named !== undefined && {
      user: decodeURIComponent(named.username),
      password: decodeURIComponent(named.password),
    }),
    ...(isTls && { tls: caFile === undefined ? {} : { caFile } }),
  }
}
