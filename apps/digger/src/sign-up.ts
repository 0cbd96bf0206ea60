import type { Pair } from '@digger/kis-sim'
import type { KisCredentials, SocketTimes } from '@digger/kis'
import type { InjectOptions } from 'fastify'
import { setAdmin, setMayAddStocks } from '@digger/identity'
import type { DiggerServer } from '@digger/server'

/** An interval longer than any history, ms: time moves by hand there, and so do the server's timers. */
export const NEVER_MS = 365 * 86_400_000
/** The socket's idle time-out runs in real time, while a market moved by hand may be silent for long. Real ms. */
export const NO_IDLE_TIMEOUT: Partial<SocketTimes> = { idleTimeoutMs: 86_400_000 }

export interface NewPerson {
  readonly email: string
  readonly password: string
  readonly credentials: KisCredentials
  readonly admin?: boolean
}

export interface LoggedIn extends Pair {
  /** A call of the product's own API as this person; throws unless it is answered with 200. */
  call(method: NonNullable<InjectOptions['method']>, url: string, payload?: object): Promise<unknown>
}

/** Signs a person up and logs them in, through the product's own calls. */
export async function signUp(
  server: DiggerServer,
  { email, password, credentials, admin }: NewPerson,
): Promise<LoggedIn> {
  const ask = async (options: InjectOptions & { url: string }) => {
    const reply = await server.app.inject(options)
    if (reply.statusCode !== 200) throw new Error(`${options.method} ${options.url}: ${reply.body}`)
    return reply
  }
  const payload = { email, password, ...credentials }
  const joined = await ask({ method: 'POST', url: '/api/user/user', payload })
  // Whoever is signed up here has their stocks added by whoever does it.
  await setMayAddStocks(server.database.db, joined.json<{ userId: string }>().userId, true)
  if (admin === true) await setAdmin(server.database.db, email, true)
  const login = await ask({ method: 'POST', url: '/api/login', payload: { email, password } })
  const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return {
    userId: login.json<{ userId: string }>().userId,
    appKey: credentials.appKey,
    call: async (method, url, payload) =>
      (await ask({ method, url, headers: { cookie }, ...(payload === undefined ? {} : { payload }) })).json(),
  }
}
