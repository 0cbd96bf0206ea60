import { createHash } from 'node:crypto'
import { type Reply, Refused } from '@digger/contract'
import { kstIso } from '@digger/core'
import type { PasskeyRow } from '@digger/database'
import { checkAgain, dropFactors, markProven, type SecondFactors } from '@digger/identity'
import type { Given, Handlers } from '@digger/http'
import { isFactorRequired } from '@digger/config'
import type { Services } from '../services.ts'
import { FACTOR_NAMES } from './enter.ts'
import { reportAccess } from './note.ts'
import { asOptions, needProof, proveOrNote, secondFactorsOf, STEP_UP_MS, waysOf } from './prove.ts'

export type FactorCalls =
  | 'proofWays'
  | 'stepUp'
  | 'factors'
  | 'beginPasskey'
  | 'addPasskey'
  | 'removePasskey'
  | 'beginTotp'
  | 'confirmTotp'
  | 'removeTotp'
  | 'makeCodes'
  | 'resetFactors'

type Own = Pick<Given<'factors'>, 'userId' | 'caller'>

/** How its person logs in is for nobody else to change: an administrator can only take everything away. */
export function factorHandlers(services: Services): Pick<Handlers, FactorCalls> {
  return {
    async proofWays(given) {
      assertOwn(given)
      return waysOf(secondFactorsOf(services), given.userId)
    },
    stepUp: (given) => stepUp(services, given),
    factors: ({ userId }) => view(services, userId),
    async beginPasskey(given) {
      const factors = await mayChange(services, given)
      return asOptions(await factors.passkeys.beginRegistration(given.userId, given.caller.email))
    },
    addPasskey: (given) => addPasskey(services, given),
    removePasskey: (given) => removePasskey(services, given),
    async beginTotp(given) {
      const factors = await mayChange(services, given)
      const begun = await factors.totps.begin(given.userId, given.caller.email)
      if (begun === null) throw new Refused('CONFLICT', '이미 연결된 인증 앱이 있습니다. 먼저 그것을 없애 주세요.')
      return begun
    },
    confirmTotp: (given) => confirmTotp(services, given),
    async removeTotp(given) {
      const factors = await mayChange(services, given)
      await refuseLast(services, given.userId)
      if (await factors.removeTotp(given.userId)) await reportChange(services, given, '인증 앱을 없앴습니다.')
      return view(services, given.userId)
    },
    async makeCodes(given) {
      const factors = await mayChange(services, given)
      if (!(await factors.has(given.userId))) throw new Refused('CONFLICT', '먼저 패스키나 인증 앱을 더해 주세요.')
      const codes = await factors.codes.make(given.userId)
      await reportChange(services, given, '복구 코드를 새로 만들었습니다.')
      return { codes }
    },
    resetFactors: (given) => resetFactors(services, given),
  }
}

function assertOwn({ userId, caller }: Own): void {
  if (caller.userId !== userId) throw new Refused('FORBIDDEN', '로그인 방법은 본인만 바꿀 수 있습니다.')
}

async function mayChange(services: Services, given: Own): Promise<SecondFactors> {
  assertOwn(given)
  await needProof(services, given.caller)
  return secondFactorsOf(services)
}

/** Where everybody has to have one, none is taken away that nothing stands in for: whoever is logged in would go on without. */
async function refuseLast(services: Services, userId: string): Promise<void> {
  if (!isFactorRequired(services.config)) return
  const factors = secondFactorsOf(services)
  const count =
    (await factors.passkeys.of(userId)).length + ((await factors.totps.confirmedAt(userId)) === null ? 0 : 1)
  if (count <= 1) throw new Refused('CONFLICT', LAST)
}

const LAST = '이 서버는 두 번째 인증이 있어야 합니다. 다른 패스키나 인증 앱을 먼저 더한 뒤 없애 주세요.'

/**
 * Whoever is logged in elsewhere when the first one is added showed a password alone: they are out, and no other device is known.
 * Returns the recovery codes; null: it is not the first.
 */
async function begin(services: Services, { userId, caller }: Own, isFirst: boolean): Promise<string[] | null> {
  if (!isFirst) return null
  await services.sessions.endSome(userId, { allBut: caller.id })
  return secondFactorsOf(services).codes.make(userId)
}

const reportChange = (
  services: Services,
  { userId, request }: Pick<Given<'addPasskey'>, 'userId' | 'request'>,
  text: string,
) => reportAccess(services, { userId, log: request.log }, text)

async function stepUp(services: Services, given: Given<'stepUp'>): Promise<Reply<'stepUp'>> {
  const { userId, caller, body, request, note } = given
  assertOwn(given)
  const { database, wall } = services
  const factors = secondFactorsOf(services)
  if ('password' in body) {
    if (await factors.has(userId)) throw new Refused('INVALID', '비밀번호 대신 두 번째 인증으로 확인해 주세요.')
    const again = { userId, email: caller.email, password: body.password, address: request.ip }
    if (!(await checkAgain(services, caller, again)))
      throw new Refused('INVALID', '비밀번호가 맞지 않습니다. 다시 입력해 주세요.')
    await markProven(database.db, caller.id, null, wall.now())
  } else {
    const proven = await proveOrNote(services, { userId, email: caller.email, request, from: caller.id }, body)
    if (proven === null)
      throw new Refused('INVALID', '본인 확인이 맞지 않습니다. 새 숫자를 넣거나 다른 방법으로 해 주세요.')
    note(FACTOR_NAMES[proven.factor])
    await markProven(database.db, caller.id, proven.factor, wall.now())
    if (proven.passkey !== null && 'passkey' in body && body.prf !== undefined)
      await factors.wraps.wrap(proven.passkey, body.prf)
  }
  return { until: kstIso(wall.now() + STEP_UP_MS) }
}

async function addPasskey(services: Services, given: Given<'addPasskey'>): Promise<Reply<'addPasskey'>> {
  const { userId, caller, body, note } = given
  const factors = await mayChange(services, given)
  const isFirst = !(await factors.has(userId))
  const row = await factors.passkeys.register(userId, body.name, body.passkey)
  if (row === null)
    throw new Refused(
      'INVALID',
      '패스키를 만들지 못했습니다. 화면을 새로 고쳐 다시 해 주세요. 열 개까지 만들 수 있습니다.',
    )
  if (body.prf !== undefined) await factors.wraps.wrap(row, body.prf)
  note(body.name)
  await markProven(services.database.db, caller.id, 'passkey', services.wall.now())
  await reportChange(services, given, `패스키를 더했습니다(${body.name}).`)
  const codes = await begin(services, given, isFirst)
  return { factors: await view(services, userId), codes }
}

async function removePasskey(services: Services, given: Given<'removePasskey'>) {
  const { userId, params, note } = given
  const factors = await mayChange(services, given)
  const found = (await factors.passkeys.of(userId)).find((row) => idOf(row) === params.passkeyId)
  if (found) await refuseLast(services, userId)
  if (found && (await factors.removePasskey(userId, found.credential_id))) {
    note(found.name)
    await reportChange(services, given, `패스키를 없앴습니다(${found.name}).`)
  }
  return view(services, userId)
}

async function confirmTotp(services: Services, given: Given<'confirmTotp'>): Promise<Reply<'confirmTotp'>> {
  const { userId, caller, body } = given
  const factors = await mayChange(services, given)
  const isFirst = !(await factors.has(userId))
  if (!(await factors.confirmTotp(userId, body.totp, caller.id)))
    throw new Refused('INVALID', '숫자가 맞지 않습니다. 앱의 새 숫자를 넣고, 안 되면 휴대폰의 시계를 맞춰 주세요.')
  await markProven(services.database.db, caller.id, 'totp', services.wall.now())
  await reportChange(services, given, '인증 앱을 연결했습니다.')
  const codes = await begin(services, given, isFirst)
  return { factors: await view(services, userId), codes }
}

/** For who has lost everything. The password alone logs in again, so whoever asks for this has to be known to be its person. */
async function resetFactors(services: Services, given: Given<'resetFactors'>) {
  const { userId, caller } = given
  await needProof(services, caller)
  if (!(await dropFactors(services.database.db, userId))) return {}
  services.sessions.endKnown(userId)
  services.apiTokens.endKnown(userId)
  await reportChange(services, given, '관리자가 두 번째 인증을 모두 없앴습니다.')
  return {}
}

/** Short enough for a path, and the same as long as the passkey is. */
const idOf = ({ credential_id }: PasskeyRow): string =>
  createHash('sha256').update(credential_id).digest('hex').slice(0, 32)

async function view(services: Services, userId: string): Promise<Reply<'factors'>> {
  const factors = secondFactorsOf(services)
  const [confirmedAt, passkeys] = [await factors.totps.confirmedAt(userId), await factors.passkeys.of(userId)]
  const version = await factors.wraps.versionOf(userId)
  return {
    passkeys: passkeys.map((row) => ({
      id: idOf(row),
      name: row.name,
      createdAt: kstIso(row.created_at),
      usedAt: row.used_at === null ? null : kstIso(row.used_at),
      backedUp: row.backed_up,
      opensKey: row.by_prf !== null && row.key_version === version,
    })),
    totp: confirmedAt === null ? null : { createdAt: kstIso(confirmedAt) },
    codes: await factors.codes.left(userId),
    required: isFactorRequired(services.config),
    passkeyOrigins: [...factors.party.origins],
  }
}
