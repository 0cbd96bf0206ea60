import { setTimeout as delay } from 'node:timers/promises'

const DAY_MS = 86_400_000
/** Korea is ahead of Greenwich by so much. */
const KST_MS = 9 * 3_600_000

/** A list is of one Korean day, by the machine's date: what takes so long does not begin before the end of one, but after it. */
export async function clearOfMidnight(ms: number): Promise<void> {
  const left = DAY_MS - ((Date.now() + KST_MS) % DAY_MS)
  if (left <= ms) await delay(left + 1_000)
}
