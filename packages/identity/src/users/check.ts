import { Refused } from '@digger/contract'
import type { UserRow, Clock, Db } from '@digger/database'
import { noteFailedLogin } from './audit.ts'
import type { Passwords } from '../vault/password.ts'
import type { KnownDevice, KnownDevices } from './devices.ts'
import { networkOf } from './network.ts'
import type { Session } from './sessions.ts'
import type { LoginThrottle, Reserved } from './throttle.ts'
import { findUserByEmail } from './users.ts'
import type { Lane } from '../vault/queue.ts'

/** What a password is compared with, and what bounds how often. */
export interface LoginDeps {
  readonly database: { readonly db: Db }
  readonly clock: Clock
  readonly passwords: Passwords
  readonly devices: KnownDevices
  readonly throttle: LoginThrottle
}

export interface LoginTry {
  readonly email: string
  readonly password: string
  readonly address: string
  /** The token of the device's cookie. */
  readonly device: string | null
}

export interface Entered {
  readonly user: UserRow
  /** From which this person logged in before; null: from none that is known. */
  readonly device: KnownDevice | null
}

/** Checks a log-in. Null for a wrong e-mail or password, in the same time for both; throws BUSY when there are no tries left. */
export async function checkLogin(deps: LoginDeps, given: LoginTry): Promise<Entered | null> {
  const { devices, throttle } = deps
  const { email, address } = given
  const device = await devices.find(given.device, email)
  if (device && throttle.waitOfDevice(device.id, device.userId) === 0) {
    const reserve = () => throttle.asDevice(device.id, device.userId)
    const checked = await inTurn(deps, { ...given, lane: 'known', from: device.id, reserve })
    // With no tries left a known device is a stranger's.
    if (typeof checked !== 'number') return checked && { user: checked, device }
  }
  const waitMs = throttle.waitOfStranger(email, address)
  if (waitMs > 0) throw tooOften(waitMs)
  const reserve = () => throttle.asStranger(email, address)
  const checked = await inTurn(deps, { ...given, lane: 'strange', from: networkOf(address), reserve })
  if (typeof checked === 'number') throw tooOften(checked)
  return checked && { user: checked, device }
}

/** Checks the password of somebody who is logged in: strangers' guesses are no hindrance. Null for a wrong one; throws BUSY. */
export async function checkAgain(
  deps: LoginDeps,
  caller: Session,
  given: Omit<LoginTry, 'device'> & { readonly userId: string },
): Promise<UserRow | null> {
  const reserve = () => deps.throttle.asSession(caller.userId, given.userId)
  const checked = await inTurn(deps, { ...given, lane: 'known', from: caller.userId, reserve })
  if (typeof checked === 'number') throw tooOften(checked)
  return checked
}

interface Guess {
  readonly email: string
  readonly password: string
  readonly address: string
  readonly lane: Lane
  readonly from: string
  readonly reserve: () => Promise<Reserved>
}

/**
 * The one place where a password is compared, in its turn of the queue: the try is counted, durably, before. The user; null
 * for a wrong password; milliseconds to wait when no try is left.
 */
function inTurn({ database: { db }, passwords, clock }: LoginDeps, guess: Guess): Promise<UserRow | null | number> {
  const { email, password, address, lane, from, reserve } = guess
  return passwords.queue.run(lane, from, async () => {
    const { waitMs, giveBack } = await reserve()
    if (waitMs > 0) return waitMs
    const user = await findUserByEmail(db, email)
    const right = await passwords.compare(password, user?.password_hash ?? null)
    if (right && user) {
      await giveBack()
      return user
    }
    await noteFailedLogin(db, user?.id ?? null, clock.now(), address)
    return null
  })
}

/** A refusal that names the wait, ms. */
export function tooOften(waitMs: number): Refused {
  const seconds = Math.ceil(waitMs / 1000)
  const wait = seconds < 120 ? `${seconds}초` : `${Math.ceil(seconds / 60)}분`
  return new Refused(
    'BUSY',
    `여러 번 틀려 잠시 막았습니다. ${wait} 뒤에 다시 하거나, 전에 로그인한 기기에서 해 주세요.`,
  )
}
