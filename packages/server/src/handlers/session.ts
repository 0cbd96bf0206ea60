import { type Reply, Refused } from '@digger/contract'
import type { Timetable } from '@digger/core'
import {
  assertFree,
  checkAgain,
  createUser,
  deleteApiTokens,
  findUser,
  forgetDevices,
  mayAddStocks,
  refuseGuessable,
  setPasswordHash,
  tooOften,
} from '@digger/identity'
import { changeCredentials, maskedCredentials } from '@digger/key-ring'
import { clearCookies, deviceToken, type Given, type Handlers, setDevice } from '@digger/http'
import type { Services } from '../services.ts'
import { type AccessSessionCalls, accessSessionHandlers } from './access-session.ts'
import { connectBroker } from './broker-connection.ts'
import { endSessions, openAccount } from './enter.ts'
import { type FactorCalls, factorHandlers } from './factor.ts'
import { type LogInCalls, logInHandlers } from './log-in.ts'
import { note } from './note.ts'
import { needSecondProof } from './prove.ts'

type SessionCalls = 'logout' | 'signUp' | 'me' | 'changePassword' | 'adminLogout' | 'credentials' | 'changeCredentials'

export function sessionHandlers(
  services: Services,
): Pick<Handlers, SessionCalls | LogInCalls | FactorCalls | AccessSessionCalls> {
  return {
    ...logInHandlers(services),
    ...factorHandlers(services),
    ...accessSessionHandlers(services),
    logout: (given) => logout(services, given),
    adminLogout: (given) => logout(services, given),
    signUp: (given) => signUp(services, given),
    me: ({ userId }) => me(services, userId),
    changePassword: (given) => changePassword(services, given),
    credentials: ({ userId }) => maskedCredentials(services, userId),
    changeCredentials: (given) => changeKeys(services, given),
  }
}

async function logout(services: Services, { request, reply, caller }: Given<'logout'> | Given<'adminLogout'>) {
  await endSessions(services, request)
  clearCookies(request, reply)
  if (caller) {
    const user = { id: caller.userId, email: caller.email }
    await note(services, request.log, user, { action: '로그아웃', detail: request.ip })
  }
  return {}
}

/** Only somebody whose broker credentials are right learns which e-mails and accounts exist. */
async function signUp(services: Services, { body, request }: Given<'signUp'>) {
  const { database, throttle, brokerCheck, vault, keys } = services
  const { email, password, ...credentials } = body
  await refuseGuessable('비밀번호', password, email)
  const { waitMs, giveBack } = await throttle.signUp(request.ip)
  if (waitMs > 0) throw tooOften(waitMs)
  const htsIdChecked = await brokerCheck(credentials)
  await assertFree(database.db, email)
  const isOwn = (userId: string): boolean => database.owned.isOwn(userId)
  const userId = await createUser({ ...services, db: database.db, isOwn }, { email, password, credentials })
  // The user exists: what fails from here on is logged, and done at the first log-in.
  const failed = (error: unknown): void => request.log.error({ err: error, userId }, 'the sign-up is not complete')
  await giveBack().catch(failed)
  await openAccount(services, userId, request.log)
  if (vault.has(userId)) await keys.give(userId).catch(failed)
  return { userId, htsIdChecked }
}

async function changeKeys(services: Services, given: Given<'changeCredentials'>) {
  const { userId, caller, body, request, note } = given
  await needSecondProof(services, caller)
  const asked = { userId, caller, body, address: request.ip }
  const { htsIdChecked, changed } = await changeCredentials(services, asked)
  note(changed.map((name) => (name === 'htsId' ? 'HTS ID' : name)).join(', '))
  const trouble = await connectBroker(services, { userId, newLogin: false, log: request.log })
  return { htsIdChecked, connected: trouble === null, message: trouble ?? '새 정보로 증권사에 연결했습니다.' }
}

async function me(services: Services, userId: string) {
  const { database, keys, config, timetable } = services
  const user = await findUser(database.db, userId)
  if (!user) throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 다시 로그인해 주세요.')
  await keys.known(userId)
  return {
    userId,
    email: user.email,
    diggerAdmin: user.digger_admin,
    mayAddStocks: mayAddStocks(user),
    env: config.KIS_ENV,
    ...(config.SHADOW === '1' && { shadow: true as const }),
    userKey: keys.has(userId),
    accountNumber: user.account_masked,
    keysStoredAt: await maskedCredentials(services, userId).then(
      (stored) => stored?.storedAt ?? null,
      () => null,
    ),
    market: marketOf(timetable?.()),
  }
}

function marketOf(timetable: Timetable | undefined): Reply<'me'>['market'] {
  const { hours = 'always', closed = [], special = [] } = timetable ?? {}
  return { hours, closed: [...closed], special: Array.from(special, ([day, times]) => ({ day, ...times })) }
}

/** Every session and API token ends: whoever knew the old password is out, and no device is known but the one that changed it. */
async function changePassword(services: Services, given: Given<'changePassword'>) {
  const { userId, caller, body, request, reply } = given
  const { database, passwords, vault, sessions, apiTokens } = services
  const user = await findUser(database.db, userId)
  const again = { userId, email: user?.email ?? '', password: body.oldPassword, address: request.ip }
  const right = user && (await checkAgain(services, caller, again))
  if (!right) throw new Refused('INVALID', '지금 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  await needSecondProof(services, caller)
  // The operator's one would lose its end.
  if (user.password_ends_at !== null && body.newPassword === body.oldPassword)
    throw new Refused('INVALID', '새 비밀번호: 임시 비밀번호는 계속 쓸 수 없습니다. 다른 비밀번호로 정해 주세요.')
  await refuseGuessable('새 비밀번호', body.newPassword, user.email)
  const passwordHash = await passwords.hash(body.newPassword)
  const renewal = await vault.renew(userId, body.oldPassword, body.newPassword)
  await database.db.transaction().execute(async (trx) => {
    await setPasswordHash(trx, userId, passwordHash, null)
    await renewal.store(trx)
    await sessions.endAll(userId, trx)
    await deleteApiTokens(trx, userId)
    await forgetDevices(trx, userId)
  })
  renewal.afterCommit()
  sessions.endKnown(userId)
  apiTokens.endKnown(userId)
  if (caller.userId === userId) {
    clearCookies(request, reply)
    await rememberDevice(services, given)
  }
  return {}
}

/** Never throws: the password is changed, and its owner has to learn so. */
async function rememberDevice({ devices }: Services, { userId, request, reply }: Given<'changePassword'>) {
  try {
    setDevice(request, reply, await devices.remember(deviceToken(request), userId))
  } catch (error) {
    request.log.error({ err: error, userId }, 'the device is not remembered')
  }
}
