import { LostAnswer, Refused } from '@digger/contract'
import { kstIso } from '@digger/core'
import type { Factor, PasskeyRow, UserRow } from '@digger/database'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { joinDetails, SealError } from '@digger/identity'
import { deviceToken, type Given, sessionTokens, setCookies, setDevice } from '@digger/http'
import type { Services } from '../services.ts'
import { connectBroker } from './broker-connection.ts'
import { deviceName } from './device-name.ts'
import { note } from './note.ts'
import { secondFactorsOf } from './prove.ts'

/** Somebody who has proved who they are. */
export interface Entering {
  readonly user: UserRow
  /** Whether they logged in from here before. */
  readonly known: boolean
  /** What they showed beside a password, or in its place; null: nothing. */
  readonly factor: Factor | null
  /** Null: they came with a passkey alone. */
  readonly password: string | null
  /** The passkey they showed, with what it derives; null: none, or it derives nothing. */
  readonly passkey: { readonly row: PasskeyRow; readonly prf: string } | null
  readonly forceKisLogin: boolean
}

/** Log-in, key and broker in one go: a person who logs in is a person whose account works. */
export async function enter(services: Services, { request, reply }: Given<'login' | 'passkeyLogin'>, who: Entering) {
  const { database, sessions, devices } = services
  const { user, known, factor } = who
  const temporary = temporaryNotice(services, who)
  const opened = await openKey(services, who, request.log)
  await openAccount(services, user.id, request.log)
  const connecting = { userId: user.id, newLogin: who.forceKisLogin, log: request.log }
  const message = opened === true ? joined('로그인했습니다.', await connectBroker(services, connecting)) : opened
  // The account went to another process meanwhile, and with it whatever key is open there: it is opened there once more.
  if (!database.owned.isOwn(user.id)) throw new LostAnswer(MOVED_MEANWHILE, 'BUSY')
  const device = await devices.remember(deviceToken(request), user.id)
  const agent = request.headers['user-agent'] ?? ''
  const token = await sessions.start(user.id, { address: request.ip, agent, factor, device })
  // Whoever was logged in at this browser is not any more.
  await endSessions(services, request)
  const answer = { diggerAdmin: user.digger_admin, userId: user.id, email: user.email }
  setCookies(request, reply, token, answer)
  setDevice(request, reply, device)
  const how = factor === null ? '' : FACTOR_NAMES[factor]
  const detail = joinDetails([known ? '아는 기기' : '처음 보는 기기', how, deviceName(agent), request.ip])
  await note(services, request.log, user, { action: '로그인', detail })
  if (!known) await tellOfDevice(services, request, user.id)
  return { ...answer, message: joined(message, temporary), temporaryPassword: temporary !== null }
}

export const FACTOR_NAMES: Readonly<Record<Factor, string>> = { totp: '인증 앱', code: '복구 코드', passkey: '패스키' }

/** Never throws: who is logged in is in. */
async function tellOfDevice({ notifications }: Services, { ip, log }: FastifyRequest, userId: string) {
  await notifications
    ?.newDevice(userId, ip)
    .catch((error: unknown) => log.error({ err: error, userId }, 'nobody is told of the new device'))
}

/** A sentence about a password that the operator set; null for a person's own. Refuses one that is too old. */
function temporaryNotice({ wall }: Services, { user: { password_ends_at }, password }: Entering): string | null {
  if (password_ends_at === null || password === null) return null
  if (password_ends_at <= wall.now()) {
    throw new Refused('LOGIN_REQUIRED', '임시 비밀번호를 쓸 수 있는 시간이 지났습니다. 운영자에게 다시 받아 주세요.')
  }
  const [day = '', time = ''] = kstIso(password_ends_at).split('T')
  return `임시 비밀번호입니다. ${day} ${time.slice(0, 5)}까지 새 비밀번호로 바꿔 주세요.`
}

/** True, or a sentence for the person: who cannot open the key must still get in, to stop. */
async function openKey(services: Services, who: Entering, log: FastifyBaseLogger): Promise<true | string> {
  const { vault } = services
  const { user, password, passkey } = who
  const factors = secondFactorsOf(services)
  try {
    if (password !== null && user.digger_admin) await vault.prepareAdmin(user.id, password)
    const opened =
      password === null
        ? (passkey !== null && (await factors.wraps.open(passkey.row, passkey.prf))) || vault.has(user.id)
        : await vault.openByPassword(user.id, password)
    // Made anew whenever it can be: the key may be another since this passkey was last shown.
    if (opened && passkey !== null) await factors.wraps.wrap(passkey.row, passkey.prf)
    return opened || (password === null ? NEEDS_PASSWORD : KEY_LOST)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    log.error({ err: error, userId: user.id }, 'a stored key does not open: the rows of the vault were changed')
    return KEY_CHANGED
  }
}

const MOVED_MEANWHILE = '계좌를 맡은 서버가 바뀌는 중이라 로그인하지 못했습니다. 몇 초 뒤에 다시 해 주세요.'
const KEY_CHANGED =
  '로그인했습니다. 저장된 사용자 키가 마지막에 저장한 것과 달라 열지 않았습니다. 서버 운영자에게 알려 주세요.'
const KEY_LOST = '로그인했습니다. 비밀번호가 재설정되어 사용자 키는 관리자가 한 번 열어 주어야 합니다.'
const NEEDS_PASSWORD =
  '로그인했습니다. 이 패스키로는 지금 사용자 키를 열 수 없습니다. 자동매매를 시작하려면 비밀번호로 한 번 로그인해 주세요.'

const joined = (sentence: string, more: string | null): string => (more === null ? sentence : `${sentence} ${more}`)

/** The account is loaded where an earlier try failed; who logs in gets in whether or not it can be now. */
export async function openAccount({ accounts }: Services, userId: string, log: FastifyBaseLogger): Promise<void> {
  await accounts.open(userId).catch((error: unknown) => log.error({ err: error, userId }, 'the account is not loaded'))
}

export async function endSessions({ sessions }: Services, request: FastifyRequest): Promise<void> {
  for (const token of sessionTokens(request)) await sessions.end(token)
}
