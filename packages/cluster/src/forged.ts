/** As a logger has them. */
export interface ClusterLog {
  warn(details: object, text: string): void
  error(details: object, text: string): void
}

/** Messages of the bus that were not made by this cluster, or came twice, for the log: a flood of them is one line a second. */
export function droppedTo(log: ClusterLog): (subject: string, why: string) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let dropped = 0
  return (subject, why) => {
    dropped += 1
    if (performance.now() - loggedAt < 1_000) return
    log.warn(
      { subject, why, dropped },
      'a message of the bus was dropped: another CLUSTER_SECRET_FILE, or somebody else’s',
    )
    loggedAt = performance.now()
    dropped = 0
  }
}

/** Rows of workers that nobody who has the secrets wrote. */
export const forgedTo =
  (log: ClusterLog): ((worker: string) => void) =>
  (worker) =>
    log.error(
      { worker },
      'a worker’s public key is not proven: another CLUSTER_SECRET_FILE, WORKER_SECRET_FILE or WORKER_PUBLIC_KEY, or somebody wrote the row',
    )
