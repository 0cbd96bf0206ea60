import type { AccountOwners } from '@digger/cluster'

/** Asked of one worker at once: some 150 kB, well below what a message may have. */
const IDS_PER_QUESTION = 4_000

/** Whom to ask for which accounts, null being those that nobody has just now. Throws where the table cannot be read. */
export async function byOwner(
  owners: AccountOwners,
  userIds: readonly string[],
): Promise<{ readonly worker: string | null; readonly userIds: readonly string[] }[]> {
  const ofWorkers = new Map<string | null, string[]>()
  for (const userId of userIds) {
    const worker = await owners.of(userId)
    const ids = ofWorkers.get(worker)
    if (ids === undefined) ofWorkers.set(worker, [userId])
    else ids.push(userId)
  }
  return [...ofWorkers].flatMap(([worker, ids]) =>
    Array.from({ length: Math.ceil(ids.length / IDS_PER_QUESTION) }, (_, n) => ({
      worker,
      userIds: ids.slice(n * IDS_PER_QUESTION, (n + 1) * IDS_PER_QUESTION),
    })),
  )
}
