import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { again, begin, finish, type Hardship } from './hardship.ts'

const DISK_MB = 200
/** Write-ahead files that exist already are used up before the disk is asked for more. */
const PATIENCE_MS = 120_000

/** A small disk of its own, in memory, holds the data; a filler takes what is left of it. */
export const fullDisk: Hardship = {
  name: 'full disk',
  missing: () => {
    if (process.getuid?.() !== 0) return 'mounting a small disk needs root'
    return spawnSync('mount', ['--version']).status === 0 ? null : 'there is no mount program'
  },
  async run({ folder, open, say }) {
    const disk = join(folder, 'disk')
    mkdirSync(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'none', disk])
    try {
      const stage = await open({ DATA_DIR: join(disk, 'data') })
      const server = await begin(stage)
      const filled = fill(join(disk, 'filler'))
      say(`  ${filled} MB fill the disk`)
      const until = performance.now() + PATIENCE_MS
      while (!server.ended && performance.now() < until) await stage.work(1_000)
      const code = await server.left(1_000)
      const words = /디스크|No space left|자리가 없/.exec(server.out)?.[0]
      if (code === null) {
        stage.problems.push(`on a full disk the server went on for ${PATIENCE_MS / 1_000} s`)
        await server.end('SIGKILL')
      } else if (code === 0 || words === undefined) {
        stage.problems.push(`on a full disk the server left with ${code} and without a word of the disk`)
      }
      const still = stage.spawn()
      const refused = await still.left(30_000)
      const started = refused === null
      if (started) await still.end('SIGKILL')
      else if (refused === 0 || !/디스크|No space left|자리가 없/.test(still.out))
        stage.problems.push(`started on a full disk it left with ${refused} and without a word of the disk`)
      rmSync(join(disk, 'filler'))
      await finish(stage, await again(stage))
      return [
        `left with ${code} ("${words ?? 'no word'}")`,
        `started on the full disk: ${started ? 'it could, nothing had to grow' : `refused with ${refused}`}`,
        'came back when there was room',
      ]
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  },
}

/** To the last byte. Returns MB written. */
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
