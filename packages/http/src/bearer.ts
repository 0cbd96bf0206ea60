import type { IncomingMessage } from 'node:http'

/**
 * The secret of an `Authorization: Bearer` header, which may be empty; null: there is no such header. Where there is one, it alone
 * says who asks: no cookie is looked at.
 */
export function bearerOf({ headers: { authorization = '' } }: Pick<IncomingMessage, 'headers'>): string | null {
  const [, secret] = /^bearer(?:$| +(\S*) *$)/i.exec(authorization) ?? []
  if (secret !== undefined) return secret
  return /^bearer\b/i.test(authorization) ? '' : null
}
