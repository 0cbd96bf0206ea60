import type { Faults } from '../database/faults.ts'
import type { Stage } from '../stage.ts'
import { choose, NOTHING_TO_END, type Fault } from './fault.ts'

/** What happens in the database. */
export const DATABASE_FAULTS = {
  readOnly: {
    weight: 3,
    lasts: [1_000, 40_000],
    excuses: ['late', 'internal'],
    strike: (stage) => set(stage, { readOnly: true }, { readOnly: false }),
  },
  writesRefused: {
    weight: 3,
    lasts: [1_000, 40_000],
    excuses: ['late', 'internal'],
    strike: (stage) => set(stage, { writes: '53100' }, { writes: null }),
  },
  readsRefused: {
    weight: 2,
    lasts: [1_000, 30_000],
    excuses: ['late', 'internal'],
    strike: (stage) => set(stage, { reads: 'XX001' }, { reads: null }),
  },
  /** Each session is ended, now and again for as long as it lasts. */
  sessionsCut: {
    weight: 3,
    lasts: [1_000, 30_000],
    excuses: ['late', 'internal'],
    strike(stage, draw) {
      let over = false
      const again = (): void => {
        if (over) return
        stage.database.cut(() => true)
        stage.simulation.after(300 + draw * 5_000, null, again)
      }
      again()
      return () => void (over = true)
    },
  },
  silentCommits: {
    weight: 2,
    lasts: [1_000, 20_000],
    excuses: ['late', 'internal'],
    strike: (stage, draw) => set(stage, { silentCommits: 1 + Math.floor(draw * 4) }, { silentCommits: 0 }),
  },
  lostWrites: {
    weight: 2,
    lasts: [1_000, 20_000],
    excuses: ['late', 'internal'],
    strike: (stage, draw) => set(stage, { lostWrites: 1 + Math.floor(draw * 4) }, { lostWrites: 0 }),
  },
  answersLate: {
    weight: 2,
    lasts: [5_000, 40_000],
    excuses: ['late', 'internal'],
    strike: (stage, draw) =>
      set(
        stage,
        { answerDelay: () => draw * 4_000, delayWhen: choose(['before', 'after'], draw) },
        { answerDelay: null },
      ),
  },
  /** Nobody gets in, and whoever is in is thrown out: a restart. */
  databaseDown: {
    weight: 2,
    lasts: [2_000, 60_000],
    excuses: ['late', 'internal'],
    strike(stage) {
      stage.database.faults.refuseConnections = true
      stage.database.cutAbruptly(() => true)
      return () => void (stage.database.faults.refuseConnections = false)
    },
  },
  lockStolen: {
    weight: 2,
    lasts: [1_000, 1_000],
    excuses: ['late', 'internal'],
    strike(stage, draw) {
      stage.database.stealLock(3_000 + draw * 27_000)
      return NOTHING_TO_END
    },
  },
} as const satisfies Readonly<Record<string, Fault>>

function set(stage: Stage, during: Partial<Faults>, after: Partial<Faults>): () => void {
  Object.assign(stage.database.faults, during)
  return () => void Object.assign(stage.database.faults, after)
}
