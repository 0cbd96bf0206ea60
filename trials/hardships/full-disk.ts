import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { restartTrading, startTrading, finish, type FaultInjection } from './fault-injection.ts'

const DISK_MB = 200
/** The server ends within this, ms: write-ahead files that exist already are used up before the disk must give more. */
const END_TIMEOUT_MS = 120_000

/** A small disk of its own, in memory, holds the data; a filler takes what is left of it. */
export const fullDisk: FaultInjection = {
  name: 'full disk',
  missing: () => {
    if (process.getuid?.() !== 0) return 'mounting a small disk needs root'
    return spawnSync('mount', ['--version']).status === 0 ? null : 'there is no mount program'
  },
  async run({ folder, open, print }) {
    const disk = join(folder, 'disk')
    mkdirSync(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'none', disk])
    try {
      const stage = await open({ DATA_DIR: join(disk, 'data') })
      const server = await startTrading(stage)
      const filled = fill(join(disk, 'filler'))
      print(`  ${filled} MB fill the disk`)
      const until = performance.now() + END_TIMEOUT_MS
      while (!server.ended && performance.now() < until) await stage.work(1_000)
      const code = await server.exitCodeWithin(1_000)
      const message = /디스크|No space left|자리가 없/.exec(server.output)?.[0]
      if (code === null) {
        stage.problems.push(`on a full disk the server went on for ${END_TIMEOUT_MS / 1_000} s`)
        await server.end('SIGKILL')
      } else if (code === 0 || message === undefined) {
        stage.problems.push(`on a full disk the server left with ${code} without naming the disk`)
      }
      const still = stage.spawn()
      const refused = await still.exitCodeWithin(30_000)
      const started = refused === null
      if (started) await still.end('SIGKILL')
      else if (refused === 0 || !/디스크|No space left|자리가 없/.test(still.output))
        stage.problems.push(`started on a full disk it left with ${refused} without naming the disk`)
      rmSync(join(disk, 'filler'))
      await finish(stage, await restartTrading(stage))
      return [
        `left with ${code} ("${message ?? 'no message'}")`,
        `started on the full disk: ${started ? 'it could, nothing had to grow' : `refused with ${refused}`}`,
        'came back when there was room',
      ]
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  },
}

/** Fills the disk to the last byte. Returns MB written. */
function fill(path: string): number {
  const file = openSync(path, 'w')
  let bytes = 0
  for (let size = 1 << 20; size >= 1;) {
    try {
      bytes += writeSync(file, Buffer.alloc(size, 1))
    } catch {
      size >>= 1
    }
    if (statfsSync(path).bavail === 0) break
  }
  closeSync(file)
  return Math.round(bytes / (1 << 20))
}
