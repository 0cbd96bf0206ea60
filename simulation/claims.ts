import { z } from 'zod'
import { real } from './machine/real.ts'
import { addLine, linesOf, rangesOf } from './results.ts'

/** Seeds that follow each other. */
export interface Seeds {
  readonly first: number
  readonly last: number
}

/** A process says in the shared file which seeds it runs next. Of its claims the last one stands. */
const Claim = z.object({ version: z.string(), claimedBy: z.number(), first: z.number(), last: z.number() })
type Claim = z.output<typeof Claim>

/** Claims of processes of this machine that are gone are void. */
export interface Claimant {
  readonly pid: number
  readonly isAlive: (pid: number) => boolean
}

const THIS: Claimant = {
  pid: real.pid,
  isAlive: (pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  },
}

/**
 * Claims at most `count` of the seeds that no process has run or is running with this version, and returns them; null: none
 * are left. Lines are added in one order that all processes see: of two claims for the same seeds the first in the file
 * stands, and the other process chooses again.
 */
export function claimSeeds(file: string, version: string, wanted: Seeds, count: number, me = THIS): Seeds | null {
  for (;;) {
    const chosen = nextSeeds(takenSeeds(file, version, me), wanted, count)
    if (chosen === null) return null
    addLine(file, { version, claimedBy: me.pid, ...chosen })
    if (!overlapsAny(takenSeeds(file, version, me, 'before my claim'), chosen)) return chosen
  }
}

/** Whether somebody has run or is running one of the seeds. */
export const hasSeeds = (file: string, version: string, wanted: Seeds, me = THIS): boolean =>
  overlapsAny(takenSeeds(file, version, me), wanted)

/** What was run, and what other processes have claimed; or had claimed before the newest claim of this one. */
function takenSeeds(
  file: string,
  version: string,
  { pid, isAlive }: Claimant,
  when: 'now' | 'before my claim' = 'now',
): Seeds[] {
  const lines = linesOf(file)
  const latest = new Map<number, { claim: Claim; place: number }>()
  for (const [place, line] of lines.entries()) {
    const claim = Claim.safeParse(line).data
    if (claim?.version === version) latest.set(claim.claimedBy, { claim, place })
  }
  const myPlace = when === 'now' ? Number.POSITIVE_INFINITY : (latest.get(pid)?.place ?? 0)
  const claims = [...latest.values()].filter(
    ({ claim, place }) => claim.claimedBy !== pid && place < myPlace && isAlive(claim.claimedBy),
  )
  return [...rangesOf(lines).filter((range) => range.version === version), ...claims.map(({ claim }) => claim)]
}

const overlapsAny = (others: readonly Seeds[], { first, last }: Seeds): boolean =>
  others.some((other) => other.first <= last && first <= other.last)

/** The first seeds that are free, up to the next ones that are not. */
function nextSeeds(others: readonly Seeds[], { first, last }: Seeds, count: number): Seeds | null {
  let next = first
  for (const other of others.toSorted((one, two) => one.first - two.first)) {
    if (other.first > next) return { first: next, last: Math.min(last, next + count - 1, other.first - 1) }
    next = Math.max(next, other.last + 1)
    if (next > last) return null
  }
  return next > last ? null : { first: next, last: Math.min(last, next + count - 1) }
}
