import type { Stage } from '../stage.ts'
import { choose, type Fault } from './fault.ts'

/** What happens to the lines between the programs; the kernels at their ends go on trying. */
export const LINE_FAULTS = {
  brokerCut: { weight: 4, lasts: [2_000, 90_000], strike: (stage) => cut(stage, 'broker') },
  brokerLate: {
    weight: 2,
    lasts: [5_000, 60_000],
    strike: (stage, draw) => late(stage, 'broker', 200 + draw * 9_000),
  },
  databaseCut: {
    weight: 2,
    lasts: [1_000, 60_000],
    excuses: ['late', 'internal'],
    strike: (stage) => cut(stage, 'database'),
  },
  databaseLate: {
    weight: 1,
    lasts: [5_000, 60_000],
    // A lease that cannot be renewed in its time is lost: until it is back nothing is saved, and whoever asks is told so.
    excuses: ['late', 'internal'],
    strike: (stage, draw) => late(stage, 'database', 50 + draw * 2_500),
  },
  inParts: {
    weight: 1,
    lasts: [20_000, 120_000],
    strike(stage, draw) {
      const line = stage.simulation.network.line(serverOf(stage), choose(['broker', 'database', 'people'], draw))
      line.inParts = 0.7
      return () => void (line.inParts = 0.02)
    },
  },
} as const satisfies Readonly<Record<string, Fault>>

const serverOf = (stage: Stage): string => `server ${stage.active}`

function cut(stage: Stage, other: string): () => void {
  const line = stage.simulation.network.line(serverOf(stage), other)
  line.cut = true
  return () => void (line.cut = false)
}

function late(stage: Stage, other: string, ms: number): () => void {
  const line = stage.simulation.network.line(serverOf(stage), other)
  line.lateMs += ms
  return () => void (line.lateMs -= ms)
}
