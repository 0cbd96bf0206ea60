import { type FactorProof, type ProofWays, Refused } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import { ClonedPasskeyError, type Proven, provenAt, type SecondFactors, type Session } from '@digger/identity'
import type { Services } from '../services.ts'
import { note, reportAccess } from './note.ts'

/** How long a proof is good for what may cost money, ms. */
export const STEP_UP_MS = 600_000

/** Throws Refused at a gateway, where none is checked. */
export function secondFactorsOf({ secondFactors }: Pick<Services, 'secondFactors'>): SecondFactors {
  if (secondFactors === null) throw new Refused('BUSY', '본인 확인을 맡을 서버가 없습니다. 잠시 뒤 다시 해 주세요.')
  return secondFactors
}

/**
 * Lets through who proved who they are within ten minutes: by logging in, or since. Throws STEP_UP. Asked of the database, so that
 * a proof counts in every process at once.
 */
export async function needProof(
  { database, wall }: Pick<Services, 'database' | 'wall'>,
  caller: Session,
): Promise<void> {
  const at = await provenAt(database.db, caller.id)
  if (at === null || Math.abs(wall.now() - at) >= STEP_UP_MS) throw new Refused('STEP_UP', STEP_UP)
}

/** The same of what comes with a password: it proves enough for who has no second factor. */
export async function needSecondProof(services: Services, caller: Session): Promise<void> {
  if (await secondFactorsOf(services).has(caller.userId)) await needProof(services, caller)
}

const STEP_UP = '중요한 일이라 본인인지 다시 확인해야 합니다. 본인 확인을 하고 다시 해 주세요.'

/** By what this person can prove who they are; a passkey's challenge is made anew each time. */
export async function waysOf(factors: SecondFactors, userId: string): Promise<ProofWays> {
  const [totp, passkeys, codes] = [
    (await factors.totps.confirmedAt(userId)) !== null,
    await factors.passkeys.of(userId),
    await factors.codes.left(userId),
  ]
  const has = totp || passkeys.length > 0
  return {
    password: !has,
    totp,
    codes: has ? codes : 0,
    passkey: passkeys.length > 0 ? asOptions(await factors.passkeys.beginUse('prove', userId)) : null,
  }
}

/** What the library makes has WebAuthn's own types; ours is what is passed on unread. */
export const asOptions = <T extends { challenge: string }>(options: T): T & Record<string, unknown> => ({ ...options })

export interface Prover {
  readonly userId: string
  readonly email: string
  readonly request: FastifyRequest
  /** The device or session whose tries are counted apart; null for a stranger's. */
  readonly from: string | null
}

/** Null where nothing was proved: its person finds the try in their log. Throws BUSY when no try is left. */
export async function proveOrNote(services: Services, prover: Prover, proof: FactorProof): Promise<Proven | null> {
  const { userId, email, request, from } = prover
  const proven = await shown(services, { userId, log: request.log }, () =>
    secondFactorsOf(services).prove(userId, proof, from),
  )
  if (proven !== null && proven !== 'cloned') return proven
  const detail = `${proven === 'cloned' ? CLONED : '맞지 않음'} · ${request.ip}`
  request.log.warn({ userId, ip: request.ip, cloned: proven === 'cloned' }, 'second factor failed')
  await note(services, request.log, { id: userId, email }, { action: '두 번째 인증 실패', detail })
  return null
}

/** A copy of a passkey is somebody else's: its person is told at once. */
export async function shown<T>(
  services: Services,
  of: Parameters<typeof reportAccess>[1],
  use: () => Promise<T | null>,
): Promise<T | null | 'cloned'> {
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof ClonedPasskeyError)) throw error
    await reportAccess(services, of, `${CLONED}. 그 패스키를 없애고 새로 만들어 주세요.`)
    return 'cloned'
  }
}

export const CLONED = '복제된 것으로 보이는 패스키라 받지 않았습니다'
