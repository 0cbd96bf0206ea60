import { type CallName, PasskeyProof, paths } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Granted } from './granted.ts'

/**
 * Calls about an account that need nothing of it but the tables, or are the browser's stream. A file or a history is made here: it may be larger
 * than a message of the bus, and what the broker says for it is asked for apart (`brokerProfit`).
 */
const AT_THE_GATEWAY: ReadonlySet<CallName> = new Set([
  'audit',
  'events',
  'exportTable',
  'exportYear',
  'historyProgress',
  'stockHistory',
  'stopLink',
  'makeStopLink',
  'revokeStopLink',
  'apiTokens',
  'makeApiToken',
  'revokeApiToken',
  'setMayAdd',
  'sessions',
  'endSession',
  'endOtherSessions',
])

/** Calls that name no account and are carried out where one is, or will be: a key is opened nowhere else. */
const BY_EMAIL: ReadonlySet<CallName> = new Set(['login', 'signUp', 'passkeyLogin'])

/** Calls about no account that need what only a worker knows: the days as the broker lists them. The caller's own worker answers. */
const AT_ANY_WORKER: ReadonlySet<CallName> = new Set([
  'calendar',
  'setCalendarDay',
  'deleteCalendarDay',
  'passkeyOptions',
])

/** Calls with a password, what stands beside one or in its place, a person's broker credentials, or an address that whoever has it may write to in them. */
const SEALED: ReadonlySet<CallName> = new Set([
  'login',
  'signUp',
  'changePassword',
  'changeCredentials',
  'createUserKey',
  'addChannel',
  'passkeyLogin',
  'stepUp',
  'addPasskey',
  'beginTotp',
  'confirmTotp',
  'makeCodes',
])

/** Calls about a key or a password, which need no account that can be read. */
const WITHOUT_ACCOUNT: ReadonlySet<CallName> = new Set([
  ...SEALED,
  'credentials',
  'deleteUserKey',
  'adminUser',
  'passkeyOptions',
  'proofWays',
  'factors',
  'beginPasskey',
  'removePasskey',
  'removeTotp',
  'resetFactors',
])

/** Calls that an account takes to its very last turn: they hold wherever it is next, and nobody waits for it. */
const UNTIL_THE_END: ReadonlySet<string> = new Set(['setStop', 'stopAll'])

export type UserIdOf = (email: string) => Promise<string | undefined>

/** Whether a call is carried out by a worker. */
export const isForwarded = (name: CallName): boolean =>
  BY_EMAIL.has(name) || AT_ANY_WORKER.has(name) || (paths[name][1].includes('{userId}') && !AT_THE_GATEWAY.has(name))

/** Whether a change is for the account's next owner, while it leaves: where it is now it may have no orders sent any more. */
export const isForTheNext = (name: string, method: string): boolean => method !== 'GET' && !UNTIL_THE_END.has(name)

export const needsAccount = (name: CallName): boolean => !WITHOUT_ACCOUNT.has(name)

export const isSealed = (name: CallName): boolean => SEALED.has(name)

/**
 * Whose owner carries the call out. An e-mail that nobody has stands for itself: whoever would have an account of that name looks
 * the log-in up, as long as for any other, and makes the account at a sign-up.
 */
export async function placeOf(
  userIdOf: UserIdOf,
  name: CallName,
  request: FastifyRequest,
  granted: Granted,
): Promise<string> {
  if (!BY_EMAIL.has(name)) return granted.userId === '' ? (granted.caller?.userId ?? '') : granted.userId
  const { body } = request
  if (name === 'passkeyLogin') return handleIn(body)
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : ''
  if (typeof email !== 'string') return ''
  return (await userIdOf(email)) ?? email.trim().toLowerCase()
}

/** Whose passkey it says it is; empty where it says nothing: then nobody's is found. */
function handleIn(body: unknown): string {
  const handle = PasskeyProof.safeParse(body).data?.passkey.response.userHandle ?? ''
  return Buffer.from(handle, 'base64url').toString()
}
