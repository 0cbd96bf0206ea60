import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@digger/core'
import { type Backup, readBackup } from './manifest.ts'
import { MAKING } from './take.ts'

const NAME = /^digger-\d{8}-\d{6}-[0-9a-f]{6}$/
/** What is under way is over by then. */
const LEFT_OVER_MS = DAY_MS

/** The backups in a folder that this program can read, newest first. */
export async function listBackups(into: string): Promise<Backup[]> {
  const names = (await readdir(into).catch(() => [])).filter((name) => NAME.test(name))
  const read = await Promise.all(names.map((name) => readBackup(join(into, name)).catch(() => null)))
  return read.filter((backup) => backup !== null).toSorted((a, b) => b.manifest.takenAt - a.manifest.takenAt)
}

/** Removes backups older than so many days, but never the newest good one, and what was never finished. Returns what is gone. */
export async function removeOld(into: string, keepDays: number, now: number): Promise<string[]> {
  const [newest, ...older] = await listBackups(into)
  const old = newest === undefined ? [] : older.filter(({ manifest }) => now - manifest.takenAt > keepDays * DAY_MS)
  for (const { folder, name } of old) {
    // What is gone in part only must not have the name of a backup.
    const going = join(into, `${MAKING}${name}`)
    await rename(folder, going)
    await rm(going, { recursive: true, force: true })
  }
  for (const name of await readdir(into).catch(() => [])) {
    const path = join(into, name)
    if (!name.startsWith(MAKING)) continue
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    )
    if (now - changed > LEFT_OVER_MS) await rm(path, { recursive: true, force: true })
  }
  return old.map(({ name }) => name)
}
