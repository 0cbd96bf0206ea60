import type { Reply } from '@digger/contract'
import { problemIn } from './request.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

export interface Wanted {
  readonly name?: string
  readonly scope?: string
  readonly days?: number
}

/** Asks for a token. */
export const askForToken = (fixture: ServerFixture, { cookie }: Person, wanted: Wanted = {}) =>
  fixture.call('POST', '/api/user/token', {
    cookie,
    payload: { name: '스크립트', scope: 'read', days: 7, ...wanted },
  })

/** Makes a token; its secret. */
export async function makeToken(fixture: ServerFixture, person: Person, wanted: Wanted = {}): Promise<string> {
  const reply = await askForToken(fixture, person, wanted)
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.json<Reply<'makeApiToken'>>().secret
}

export const bearing = (secret: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${secret}`,
  ...more,
})

export const problemOrDone = (reply: Awaited<ReturnType<ServerFixture['call']>>): string =>
  reply.statusCode === 200 ? 'done' : problemIn(reply)
