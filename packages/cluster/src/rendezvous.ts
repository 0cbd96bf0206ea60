import { createHash } from 'node:crypto'

/**
 * Whose a shard is among these workers, by the highest hash (rendezvous hashing): everybody reckons the same, and where one comes
 * or goes only its own shards move, to or from all others. Null without workers.
 */
export function chosenOf(shard: number, workers: readonly string[]): string | null {
  let chosen: string | null = null
  let highest = ''
  for (const worker of workers) {
    const score = scoreOf(`${shard} ${worker}`)
    if (score <= highest) continue
    highest = score
    chosen = worker
  }
  return chosen
}

/** Asked each second for every shard and worker. Names come and go: what is remembered is forgotten now and then. */
const MAX_SCORES = 10_000
const scores = new Map<string, string>()

function scoreOf(text: string): string {
  const known = scores.get(text)
  if (known !== undefined) return known
  const score = createHash('sha256').update(text).digest('hex')
  if (scores.size >= MAX_SCORES) scores.clear()
  scores.set(text, score)
  return score
}
