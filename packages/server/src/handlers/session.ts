import type { Reply } from '@digger/contract'
import type { Timetable } from '@digger/core'
import type { FastifyBaseLogger } from 'fastify'
import { Refused } from '../accounts/port.ts'
import type { UserRow } from '../db/tables.ts'
import { clearCookies, sessionToken, setCookies } from '../http/cookies.ts'
import type { Given, Handlers } from '../http/handler.ts'
import { problemOf } from '../http/problem.ts'
import type { Services } from '../services.ts'
import { assertFree, createUser } from '../users/signUp.ts'
import { findUser, findUserByEmail, setPasswordHash } from '../users/users.ts'
import { SealError } from '../vault/seal.ts'

type SessionCalls = 'login' | 'logout' | 'signUp' | 'me' | 'changePassword' | 'adminLogout'

/** A slow broker must not keep a person from logging in; the account goes on connecting. */
const BROKER_PATIENCE_MS = 8_000

export function sessionHandlers(services: Services): Pick<Handlers, SessionCalls> {
  return {
    login: (given) => login(services, given),
    logout: (given) => logout(services, given),
    adminLogout: (given) => logout(services, given),
    signUp: (given) => signUp(services, given),
    me: ({ userId }) => me(services, userId),
    changePassword: (given) => changePassword(services, given),
  }
}

/** Log-in, key and broker in one go: a person who logs in is a person whose account works. */
async function login(services: Services, { body, request, reply }: Given<'login'>) {
  const { vault, sessions } = services
  const user = await checkPassword(services, body.email, body.password, request.ip)
  if (!user) throw new Refused('LOGIN_REQUIRED', '이메일이나 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  if (user.digger_admin) await vault.prepareAdmin(user.id, body.password)
  const opened = await openKey(services, user.id, body.password, request.log)
  const message = opened === true ? await connect(services, user.id, body.forceKisLogin) : opened
  const token = await sessions.start(user.id)
  const answer = { diggerAdmin: user.digger_admin, userId: user.id, email: user.email }
  setCookies(request, reply, token, answer)
  return { ...answer, message }
}

/** True, or words for the person: who cannot open the key must still get in, to stop. */
async function openKey({ vault }: Services, userId: string, password: string, log: FastifyBaseLogger) {
  try {
    return (await vault.openByPassword(userId, password)) || KEY_LOST
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    log.error({ err: error, userId }, 'a stored key does not open: the rows of the vault were changed')
    return KEY_CHANGED
  }
}

const KEY_CHANGED =
  '로그인했습니다. 저장된 사용자 키가 마지막에 저장한 것과 달라 열지 않았습니다. 서버 운영자에게 알려 주세요.'
const KEY_LOST = '로그인했습니다. 비밀번호가 재설정되어 사용자 키는 관리자가 한 번 열어 주어야 합니다.'

/** Words for the person; never a failure of the log-in itself. The broker is asked something: a key alone tells nothing. */
async function connect({ keys, balances, wall }: Services, userId: string, newLogin: boolean): Promise<string> {
  const asked = keys.give(userId, newLogin).then(() => balances.read(userId))
  const given = asked.then(
    () => '로그인했습니다.',
    (error: unknown) => `로그인했습니다. ${problemOf(error)?.message ?? '증권사 연결은 잠시 뒤 다시 시도합니다.'}`,
  )
  const patience = Promise.withResolvers<string>()
  const stop = wall.after(BROKER_PATIENCE_MS, () =>
    patience.resolve('로그인했습니다. 증권사 연결이 늦어져 뒤에서 계속하고 있습니다.'),
  )
  return Promise.race([given, patience.promise]).finally(stop)
}

/** Null for a wrong e-mail or password, in the same time for both; BUSY while guessing is slowed down. */
export async function checkPassword(
  { throttle, database, passwords }: Services,
  email: string,
  password: string,
  address: string,
): Promise<UserRow | null> {
  const wait = await throttle.wait(email, address)
  if (wait > 0) throw new Refused('BUSY', `여러 번 틀렸습니다. ${Math.ceil(wait / 1000)}초 뒤에 다시 해 주세요.`)
  const user = await findUserByEmail(database.db, email)
  if (user && (await passwords.matches(password, user.password_hash))) {
    await throttle.passed(email)
    return user
  }
  if (!user) await passwords.matches(password, null)
  await throttle.failed(email, address)
  return null
}

async function logout({ sessions }: Services, { request, reply }: Given<'logout'> | Given<'adminLogout'>) {
  const token = sessionToken(request)
  if (token !== null) await sessions.end(token)
  clearCookies(reply)
  return {}
}

async function signUp(services: Services, { body, request }: Given<'signUp'>) {
  const { database, throttle, brokerCheck, accounts, vault, keys } = services
  const { email, password, ...credentials } = body
  const wait = await throttle.wait(email, request.ip)
  if (wait > 0) throw new Refused('BUSY', `시도가 많았습니다. ${Math.ceil(wait / 1000)}초 뒤에 다시 해 주세요.`)
  await assertFree(database.db, email)
  try {
    await brokerCheck(credentials)
  } catch (error) {
    await throttle.failed(email, request.ip)
    throw error
  }
  const userId = await createUser({ ...services, db: database.db }, { email, password, credentials })
  await accounts.open(userId)
  if (vault.has(userId)) await keys.give(userId).catch((error: unknown) => request.log.warn({ err: error }, 'unlock'))
  return { userId }
}

async function me({ database, keys, config, timetable }: Services, userId: string) {
  const user = await findUser(database.db, userId)
  if (!user) throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 다시 로그인해 주세요.')
  return {
    userId,
    email: user.email,
    diggerAdmin: user.digger_admin,
    env: config.KIS_ENV,
    userKey: keys.has(userId),
    accountNumber: user.account_masked,
    market: marketOf(timetable?.()),
  }
}

function marketOf(timetable: Timetable | undefined): Reply<'me'>['market'] {
  const { hours = 'always', closed = [], shiftMinutes = [] } = timetable ?? {}
  return { hours, closed: [...closed], late: Array.from(shiftMinutes, ([day, minutes]) => ({ day, minutes })) }
}

/** Every session ends: whoever knew the old password is out. */
async function changePassword(services: Services, given: Given<'changePassword'>) {
  const { userId, caller, body, request, reply } = given
  const { database, passwords, vault, sessions } = services
  const user = await findUser(database.db, userId)
  const right = user && (await checkPassword(services, user.email, body.oldPassword, request.ip))
  if (!right) throw new Refused('INVALID', 'oldPassword: 지금 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  const passwordHash = await passwords.hash(body.newPassword)
  const renewal = await vault.renew(userId, body.oldPassword, body.newPassword)
  await database.db.transaction().execute(async (trx) => {
    await setPasswordHash(trx, userId, passwordHash)
    await renewal.store(trx)
    await sessions.endAll(userId, trx)
  })
  renewal.keep()
  sessions.endKnown(userId)
  if (caller.userId === userId) clearCookies(reply)
  return {}
}
