import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@digger/core'
import { type Backup, readBackup } from './manifest.ts'
import { MAKING } from './take.ts'

const NAME = /^digger-\d{8}-\d{6}-[0-9a-f]{6}$/
const isMaking = (name: string): boolean => name.startsWith(MAKING) && NAME.test(name.slice(MAKING.length))
/** What is under way is over by then. */
const LEFT_OVER_MS = DAY_MS

/** The backups in a folder that this program can read, newest first. */
export async function listBackups(into: string): Promise<Backup[]> {
  const names = (await readdir(into).catch(() => [])).filter((name) => NAME.test(name))
  const read = await Promise.all(names.map((name) => readBackup(join(into, name)).catch(() => null)))
  return read.filter((backup) => backup !== null).toSorted((a, b) => b.manifest.takenAt - a.manifest.takenAt)
}

/**
 * The newest one up to now. A clock that was ahead has left others maybe: by the time it shows they would be the newest for years, so
 * that none would be taken any more.
 */
export const newestOf = (backups: readonly Backup[], now: number): Backup | undefined =>
  backups.find(({ manifest }) => manifest.takenAt <= now)

/** Removes backups older than so many days, but never the newest good one, and what was never finished. Returns what is gone. */
export async function removeOld(into: string, keepDays: number, now: number): Promise<string[]> {
  const backups = await listBackups(into)
  const newest = newestOf(backups, now)
  const old = backups.filter((one) => one !== newest && now - one.manifest.takenAt > keepDays * DAY_MS)
  for (const { folder, name } of old) {
    // What is gone in part only must not have the name of a backup.
    const going = join(into, `${MAKING}${name}`)
    await rename(folder, going)
    await rm(going, { recursive: true, force: true })
  }
  for (const name of await readdir(into).catch(() => [])) {
    const path = join(into, name)
    if (!isMaking(name)) continue
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    )
    if (now - changed > LEFT_OVER_MS) await rm(path, { recursive: true, force: true })
  }
  return old.map(({ name }) => name)
}
