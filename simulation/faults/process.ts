import { PORTS, type Stage } from '../stage.ts'
import { NOTHING_TO_END, type Fault } from './fault.ts'

/** What happens to the server's process and its machine. */
export const PROCESS_FAULTS = {
  kill: {
    weight: 3,
    lasts: [1, 1],
    excuses: ['late', 'noAnswer', 'internal'],
    strike(stage) {
      const one = stage.running(stage.active)
      if (one !== undefined) stage.simulation.end(one.process, { how: 'killed', why: 'kill -9' })
      return NOTHING_TO_END
    },
  },
  pause: {
    weight: 3,
    lasts: [1_000, 150_000],
    excuses: ['late', 'noAnswer', 'internal'],
    strike: (stage) => standStill(stage),
  },
  /** The machine sleeps: its even clock stands still too. */
  sleep: {
    weight: 1,
    lasts: [5_000, 150_000],
    excuses: ['late', 'noAnswer', 'internal'],
    strike(stage) {
      const process = stage.running(stage.active)?.process
      if (process === undefined) return NOTHING_TO_END
      stage.simulation.sleep(process)
      return () => stage.simulation.wake(process)
    },
  },
  /** The database loses sight of a server that stands still; another one takes over, then the first wakes up. */
  takeover: {
    weight: 3,
    lasts: [15_000, 120_000],
    excuses: ['late', 'noAnswer', 'internal'],
    strike: (stage) => takeOver(stage),
  },
  clockSet: {
    weight: 2,
    lasts: [10_000, 300_000],
    strike(stage, draw) {
      const process = stage.running(stage.active)?.process
      if (process === undefined) return NOTHING_TO_END
      const by = Math.round((draw - 0.5) * 2 * 600_000)
      process.wallOffset += by
      return () => void (process.wallOffset -= by)
    },
  },
} as const satisfies Readonly<Record<string, Fault>>

function standStill(stage: Stage): () => void {
  const process = stage.running(stage.active)?.process
  if (process === undefined) return NOTHING_TO_END
  stage.simulation.pause(process)
  return () => stage.simulation.resume(process)
}

export function takeOver(stage: Stage): () => void {
  const first = stage.active
  const second = first === 'A' ? 'B' : 'A'
  const old = stage.running(first)
  if (old === undefined || stage.running(second) !== undefined) return NOTHING_TO_END
  const wake = standStill(stage)
  // Its kernel answers no more: the database ends these sessions, and the lock of one is free.
  for (const socket of old.process.sockets) if (socket.remotePort === PORTS.database) socket.peer?.destroy()
  stage.unsupervised.add(first)
  stage.unsupervised.delete(second)
  stage.active = second
  stage.startServer(second)
  return wake
}
