import { FactorNeeded, Refused } from '@digger/contract'
import type { UserRow } from '@digger/database'
import { checkLogin, findUser, type KnownDevice, type Proven } from '@digger/identity'
import { deviceToken, type Given, type Handlers } from '@digger/http'
import { maskEmail } from '../log.ts'
import type { Services } from '../services.ts'
import { enter } from './enter.ts'
import { note } from './note.ts'
import { asOptions, CLONED, proveOrNote, secondFactorsOf, shown, waysOf } from './prove.ts'
import { WaitingLogIns } from './waiting-log-ins.ts'

export type LogInCalls = 'login' | 'passkeyOptions' | 'passkeyLogin'

export function logInHandlers(services: Services): Pick<Handlers, LogInCalls> {
  const waiting = new WaitingLogIns()
  return {
    login: (given) => login(services, waiting, given),
    passkeyOptions: async () => asOptions(await secondFactorsOf(services).passkeys.beginUse('enter', '')),
    passkeyLogin: (given) => passkeyLogin(services, given),
  }
}

async function login(services: Services, waiting: WaitingLogIns, given: Given<'login'>) {
  const { body, request } = given
  const { email, password, proof, forceKisLogin } = body
  const entered = await checkLogin(services, { email, password, address: request.ip, device: deviceToken(request) })
  if (!entered) {
    request.log.warn({ email: maskEmail(email), ip: request.ip }, 'log-in failed')
    throw new Refused('LOGIN_REQUIRED', '이메일이나 비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
  }
  const { user, device } = entered
  const proven = await secondFactorOf(services, given, { user, device, waiting })
  const prf = proof !== undefined && 'passkey' in proof ? proof.prf : undefined
  const passkey = proven?.passkey && prf !== undefined ? { row: proven.passkey, prf } : null
  const factor = proven?.factor ?? null
  return enter(services, given, { user, known: device !== null, factor, password, passkey, forceKisLogin })
}

/** Null where the password is enough. Throws FactorNeeded until something right is shown beside it. */
async function secondFactorOf(
  services: Services,
  { body: { proof }, request }: Given<'login'>,
  {
    user,
    device,
    waiting,
  }: { readonly user: UserRow; readonly device: KnownDevice | null; readonly waiting: WaitingLogIns },
): Promise<Proven | null> {
  const factors = secondFactorsOf(services)
  if (!(await factors.has(user.id))) return null
  if (proof === undefined) {
    if (device === null) await waiting.report(services, user, request)
    throw new FactorNeeded(SECOND, await waysOf(factors, user.id))
  }
  const prover = { userId: user.id, email: user.email, request, from: device?.id ?? null }
  const proven = await proveOrNote(services, prover, proof)
  if (proven === null) throw new FactorNeeded(WRONG, await waysOf(factors, user.id))
  return proven
}

const SECOND = '비밀번호가 맞습니다. 두 번째 인증을 해 주세요.'
const WRONG =
  '두 번째 인증이 맞지 않습니다. 인증 앱의 새 숫자를 넣거나 다른 방법으로 해 주세요. 쓴 숫자는 다시 쓸 수 없습니다.'

/** The device has asked its person who they are, and has the passkey: that is two factors. */
async function passkeyLogin(services: Services, given: Given<'passkeyLogin'>) {
  const { body, request } = given
  const { database, devices } = services
  const { userHandle } = body.passkey.response
  // Without it the passkey was not made for this: the call came to any process, not to that of the account.
  if (userHandle === undefined) throw new Refused('LOGIN_REQUIRED', NOT_TAKEN)
  const userId = Buffer.from(userHandle, 'base64url').toString()
  const row = await shown(services, { userId, log: request.log }, () =>
    secondFactorsOf(services).passkeys.use('enter', '', body.passkey),
  )
  const user = row && (await findUser(database.db, row === 'cloned' ? userId : row.user_id))
  if (row === 'cloned') {
    request.log.warn({ userId, ip: request.ip, cloned: true }, 'log-in by passkey failed')
    if (user) await note(services, request.log, user, { action: '로그인 실패', detail: `${CLONED} · ${request.ip}` })
    throw new Refused('LOGIN_REQUIRED', `${CLONED}. 비밀번호로 로그인해 주세요.`)
  }
  if (!row || !user) {
    request.log.warn({ ip: request.ip }, 'log-in by passkey failed')
    throw new Refused('LOGIN_REQUIRED', NOT_TAKEN)
  }
  const known = (await devices.find(deviceToken(request), user.email)) !== null
  const passkey = body.prf === undefined ? null : { row, prf: body.prf }
  const { forceKisLogin } = body
  return enter(services, given, { user, known, factor: 'passkey', password: null, passkey, forceKisLogin })
}

const NOT_TAKEN = '이 패스키로는 로그인할 수 없습니다. 다시 하거나, 이메일과 비밀번호로 로그인해 주세요.'
