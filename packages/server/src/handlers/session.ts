import { LostAnswer, type Reply, Refused } from '@digger/contract'
import { type Timetable, kstIso } from '@digger/core'
import type { FastifyBaseLogger } from 'fastify'
import type { UserRow } from '@digger/database'
import {
  joinDetails,
  checkAgain,
  checkLogin,
  tooOften,
  forgetDevices,
  refuseGuessable,
  assertFree,
  createUser,
  findUser,
  mayAddStocks,
  setPasswordHash,
  SealError,
} from '@digger/identity'
import { changeCredentials, maskedCredentials } from '@digger/key-ring'
import {
  clearCookies,
  deviceToken,
  type Given,
  type Handlers,
  lineAtEnd,
  sessionTokens,
  setCookies,
  setDevice,
} from '@digger/http'
import { maskEmail } from '../log.ts'
import type { Services } from '../services.ts'
import { connectBroker } from './broker-connection.ts'

type SessionCalls =
  | 'login'
  | 'logout'
  | 'signUp'
  | 'me'
  | 'changePassword'
  | 'adminLogout'
  | 'credentials'
  | 'changeCredentials'

export function sessionHandlers(services: Services): Pick<Handlers, SessionCalls> {
  return {
    login: (given) => login(services, given),
    logout: (given) => logout(services, given),
    adminLogout: (given) => logout(services, given),
    signUp: (given) => signUp(services, given),
    me: ({ userId }) => me(services, userId),
    changePassword: (given) => changePassword(services, given),
    credentials: ({ userId }) => maskedCredentials(services, userId),
    changeCredentials: (given) => changeKeys(services, given),
  }
}

/** Log-in, key and broker in one go: a person who logs in is a person whose account works. */
async function login(services: Services, { body, request, reply }: Given<'login'>) {
  const { database, vault, sessions, devices } = services
  const { email, password } = body
  const device = deviceToken(request)
  const entered = await checkLogin(services, { email, password, address: request.ip, device })
  if (!entered) {
    request.log.warn({ email: maskEmail(email), ip: request.ip }, 'log-in failed')
    throw new Refused('LOGIN_REQUIRED', '이메일이나 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  }
  const { user, known } = entered
  const temporary = temporaryNotice(services, user)
  if (user.digger_admin) await vault.prepareAdmin(user.id, password)
  const opened = await openKey(services, user.id, password, request.log)
  await openAccount(services, user.id, request.log)
  const connecting = { userId: user.id, newLogin: body.forceKisLogin, log: request.log }
  const message = opened === true ? joined('로그인했습니다.', await connectBroker(services, connecting)) : opened
  // The account went to another process meanwhile, and with it whatever key is open there: it is opened there once more.
  if (!database.owned.isOwn(user.id)) throw new LostAnswer(MOVED_MEANWHILE, 'BUSY')
  const token = await sessions.start(user.id)
  // Whoever was logged in at this browser is not any more.
  await endSessions(services, request)
  const answer = { diggerAdmin: user.digger_admin, userId: user.id, email: user.email }
  setCookies(request, reply, token, answer)
  setDevice(request, reply, await devices.remember(device, user.id))
  const detail = joinDetails([known ? '아는 기기' : '처음 보는 기기', request.ip])
  await note(services, request.log, user, { action: '로그인', detail })
  if (!known) await tellOfDevice(services, request, user.id)
  return { ...answer, message: joined(message, temporary), temporaryPassword: temporary !== null }
}

/** Never throws: who is logged in is in. */
async function tellOfDevice({ notifications }: Services, { ip, log }: Given<'login'>['request'], userId: string) {
  await notifications
    ?.newDevice(userId, ip)
    .catch((error: unknown) => log.error({ err: error, userId }, 'nobody is told of the new device'))
}

/** A sentence about a password that the operator set; null for a person's own. Refuses one that is too old. */
function temporaryNotice({ wall }: Services, { password_ends_at }: UserRow): string | null {
  if (password_ends_at === null) return null
  if (password_ends_at <= wall.now()) {
    throw new Refused('LOGIN_REQUIRED', '임시 비밀번호를 쓸 수 있는 시간이 지났습니다. 운영자에게 다시 받아 주세요.')
  }
  const [day = '', time = ''] = kstIso(password_ends_at).split('T')
  return `임시 비밀번호입니다. ${day} ${time.slice(0, 5)}까지 새 비밀번호로 바꿔 주세요.`
}

/** True, or a sentence for the person: who cannot open the key must still get in, to stop. */
async function openKey({ vault }: Services, userId: string, password: string, log: FastifyBaseLogger) {
  try {
    return (await vault.openByPassword(userId, password)) || KEY_LOST
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    log.error({ err: error, userId }, 'a stored key does not open: the rows of the vault were changed')
    return KEY_CHANGED
  }
}

const MOVED_MEANWHILE = '계좌를 맡은 서버가 바뀌는 중이라 로그인하지 못했습니다. 몇 초 뒤에 다시 해 주세요.'
const KEY_CHANGED =
  '로그인했습니다. 저장된 사용자 키가 마지막에 저장한 것과 달라 열지 않았습니다. 서버 운영자에게 알려 주세요.'
const KEY_LOST = '로그인했습니다. 비밀번호가 재설정되어 사용자 키는 관리자가 한 번 열어 주어야 합니다.'

const joined = (sentence: string, more: string | null): string => (more === null ? sentence : `${sentence} ${more}`)

/** The account is loaded where an earlier try failed; who logs in gets in whether or not it can be now. */
async function openAccount({ accounts }: Services, userId: string, log: FastifyBaseLogger): Promise<void> {
  await accounts.open(userId).catch((error: unknown) => log.error({ err: error, userId }, 'the account is not loaded'))
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

async function endSessions({ sessions }: Services, request: Given<'login'>['request']): Promise<void> {
  for (const token of sessionTokens(request)) await sessions.end(token)
}

type Writer = Pick<UserRow, 'id' | 'email'>

/** Who logged in and out, in the log the user reads. It is done by then: a failure is logged, not thrown. */
function note(
  { database, clock }: Services,
  log: FastifyBaseLogger,
  { id, email }: Writer,
  entry: { readonly action: string; readonly detail: string },
): Promise<void> {
  return lineAtEnd({ db: database.db, log }, { at: clock.now(), user_id: id, by_email: email, ...entry }).end(
    entry.detail,
  )
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

async function changeKeys(services: Services, { userId, caller, body, request, note }: Given<'changeCredentials'>) {
  const given = { userId, caller, body, address: request.ip }
  const { htsIdChecked, changed } = await changeCredentials(services, given)
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

/** Every session ends: whoever knew the old password is out, and no device is known but the one that changed it. */
async function changePassword(services: Services, given: Given<'changePassword'>) {
  const { userId, caller, body, request, reply } = given
  const { database, passwords, vault, sessions } = services
  const user = await findUser(database.db, userId)
  const again = { userId, email: user?.email ?? '', password: body.oldPassword, address: request.ip }
  const right = user && (await checkAgain(services, caller, again))
  if (!right) throw new Refused('INVALID', '지금 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  await refuseGuessable('새 비밀번호', body.newPassword, user.email)
  const passwordHash = await passwords.hash(body.newPassword)
  const renewal = await vault.renew(userId, body.oldPassword, body.newPassword)
  await database.db.transaction().execute(async (trx) => {
    await setPasswordHash(trx, userId, passwordHash, null)
    await renewal.store(trx)
    await sessions.endAll(userId, trx)
    await forgetDevices(trx, userId)
  })
  renewal.afterCommit()
  sessions.endKnown(userId)
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
