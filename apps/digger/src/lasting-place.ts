import { accessSync, constants, readFileSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backupWarning, type Config, type Place, volumeRefusal } from '@digger/config'
import { StartError } from './start-error.ts'

type Folders = Pick<Config, 'KIS_ENV' | 'DATA_DIR' | 'BACKUP_DIR'>

/** Throws StartError where real money would be traded with keys in a folder that does not last. */
export function assertLasting(config: Folders, mountinfo = readMounts()): void {
  const refusal = volumeRefusal(config, placeOf(config.DATA_DIR, mountinfo))
  if (refusal !== null) throw new StartError(refusal)
}

/** One line where backups lie on the disk that they are to replace; no pretend money asks for that. */
export function backupPlaceWarnings(
  { KIS_ENV, DATA_DIR, BACKUP_DIR }: Folders,
  mountinfo: string = readMounts(),
): string[] {
  if (KIS_ENV === 'sim' || BACKUP_DIR === undefined) return []
  const warning = backupWarning(placeOf(DATA_DIR, mountinfo), placeOf(BACKUP_DIR, mountinfo))
  return warning === null ? [] : [warning]
}

/** Of a folder that is still to be made: where it would be made. */
function placeOf(folder: string, mountinfo: string): Place {
  const path = resolve(folder)
  try {
    const real = realpathSync(path)
    return { path: real, writable: mayWrite(real), mountinfo }
  } catch {
    const above = dirname(path)
    return above === path ? { path, writable: false, mountinfo } : placeOf(above, mountinfo)
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Empty where there is no /proc: nothing is known then. */
function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}
