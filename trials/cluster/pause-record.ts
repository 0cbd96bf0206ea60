import type { MemberReport } from './member-message.ts'

interface Change {
  readonly host: string
  readonly user: string
  readonly isArmed: boolean
  /** Epoch ms. */
  readonly at: number
}

/**
 * When which account could begin orders, and where, by what the workers report of each. A pause begins when the worker that has the
 * account does not let it begin anything any more (it is on its way to another, or its lease is over), and ends when any worker
 * does: compared with its broker, and armed. Workers look ten times a second, so each end is seen up to 0.1 s late, later where a
 * worker is too busy to look; what lasts less than 0.1 s may not be seen at all. All processes have the same clock.
 */
export class PauseRecord {
  readonly #changes: Change[] = []
  readonly #armed = new Map<string, Set<string>>()

  report(host: string, { came, went, at }: Pick<MemberReport, 'came' | 'went' | 'at'>): void {
    const armed = this.#armed.get(host) ?? new Set()
    this.#armed.set(host, armed)
    for (const user of came) {
      armed.add(user)
      this.#changes.push({ host, user, isArmed: true, at })
    }
    for (const user of went) if (armed.delete(user)) this.#changes.push({ host, user, isArmed: false, at })
  }

  /** Its process has ended. */
  gone(host: string): void {
    this.report(host, { came: [], went: [...(this.#armed.get(host) ?? [])], at: Date.now() })
  }

  /** Pauses that began within this time, epoch ms, each of one account, ms; one that lasts still counts until `to`. */
  between(from: number, to: number): number[] {
    // Reports of two workers may arrive in another order than they were made in.
    const users = Map.groupBy(
      this.#changes.toSorted((a, b) => a.at - b.at),
      ({ user }) => user,
    )
    return [...users.values()].flatMap((changes) => pausesOf(changes, from, to))
  }
}

function pausesOf(changes: readonly Change[], from: number, to: number): number[] {
  const hosts = new Set<string>()
  const pauses: number[] = []
  let since: number | null = null
  for (const { host, isArmed, at } of changes) {
    if (isArmed) {
      if (since !== null && since >= from) pauses.push(at - since)
      since = null
      hosts.add(host)
    } else if (hosts.delete(host) && hosts.size === 0 && at <= to) since = at
  }
  if (since !== null && since >= from) pauses.push(to - since)
  return pauses
}
