import { openDatabase, realClock } from '@digger/database'
import { CandleKeeper } from '../src/keeper.ts'
import { clientOf, keysOf, NO_PACE, TIMETABLE } from './broker-fixture.ts'
import { ME } from './fixture.ts'

/** A process that keeps candles until it is killed, or all are there. `now`: the broker's time, which stands still. */
const [databaseUrl, dataDir = '', url = '', wsUrl = '', now = ''] = process.argv.slice(2)

const database = await openDatabase({ databaseUrl: databaseUrl || undefined, dataDir, lockWaitMs: 20_000 })
const clock = { ...realClock, now: () => Number(now) }
const problems: unknown[] = []
const keeper = new CandleKeeper({
  db: database.db,
  clock,
  wall: realClock,
  timetable: () => TIMETABLE,
  accounts: keysOf({ [ME]: clientOf({ url, wsUrl }, clock.now) }),
  isAlone: true,
  callsPerMinute: NO_PACE,
  problem: (error) => problems.push(error),
})
process.stdout.write('open\n')
await keeper.wake()
await keeper.stop()
await database.close()
process.stdout.write(`over, ${problems.length} problems\n`)
process.exit(0)
