import { createHash } from 'node:crypto'

/**
 * Whose a shard is among these workers, by the highest hash (rendezvous hashing): everybody reckons the same, and where one comes
 * or goes only its own shards move, to or from all others. Null without workers.
 */
export function chosenOf(shard: number, workers: readonly string[]): string | null {
  let chosen: string | null = null
  let highest = ''
  for (const worker of workers) {
    const score = createHash('sha256').update(`${shard} ${worker}`).digest('hex')
    if (score <= highest) continue
    highest = score
    chosen = worker
  }
  return chosen
}
