import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { intoTomorrow } from '../cluster/clocks.ts'
import { restartTrading, startTrading, finish, takenBetween, type FaultInjection } from './fault-injection.ts'

const HOUR_S = 3_600
const PHASE_MS = 20_000

function libfaketime(): string | null {
  const lib = '/usr/lib'
  const folders = existsSync(lib) ? readdirSync(lib).map((name) => join(lib, name, 'faketime')) : []
  return folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find((file) => existsSync(file)) ?? null
}

/**
 * The machine's clock is set an hour forward, back, and an hour back; the even clock of the process runs on, as it does on
 * a real machine. Later a server starts with a clock that is off and must learn the time from the broker, before it judges anything.
 */
export const clockJump: FaultInjection = {
  name: 'a clock jump',
  missing: () => (libfaketime() === null ? 'libfaketime is not installed (Debian: apt-get install faketime)' : null),
  async run({ folder, open }) {
    const file = join(folder, 'clock')
    const set = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`)
    const env = {
      LD_PRELOAD: libfaketime() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    }
    set(0)
    const stage = await open()
    let server = await startTrading(stage, env)
    const report: string[] = []
    for (const seconds of [HOUR_S, 0, -HOUR_S, 0]) {
      set(seconds)
      const from = Date.now()
      await stage.work(PHASE_MS)
      const { armed } = (await stage.people[0]?.client.health()) ?? { armed: 0 }
      if (armed < stage.people.length)
        stage.problems.push(`after a jump to ${seconds} s only ${armed} accounts are armed`)
      report.push(`at ${seconds} s: ${await takenBetween(stage, from, Date.now())} orders in ${PHASE_MS / 1_000} s`)
    }
    await server.end('SIGKILL')
    for (const seconds of [HOUR_S, -HOUR_S, Math.floor(intoTomorrow() / 1_000)]) {
      set(seconds)
      for (const person of stage.people) person.clockOff = seconds * 1_000
      server = await restartTrading(stage, env)
      // The broker's first reply sets the clock.
      await stage.work(PHASE_MS)
      const setBy = Number(/"byMs":(-?\d+)/.exec(server.output)?.[1] ?? 0)
      if (Math.abs(setBy + seconds * 1_000) > 5_000)
        stage.problems.push(`started ${seconds} s off, its clock was set by ${setBy} ms`)
      report.push(`started ${seconds} s off: set by the broker by ${Math.round(setBy / 1_000)} s`)
      await server.end('SIGKILL')
    }
    set(0)
    for (const person of stage.people) person.clockOff = 0
    await finish(stage, await restartTrading(stage, env))
    return report
  },
}
