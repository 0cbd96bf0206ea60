import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Where the model checker is on this machine, with the C compiler it needs; null when one is missing. Plain JavaScript: also asked
 * before anything is installed.
 * @returns {{ spin: string, gcc: string } | null}
 */
export function findSpin() {
  const [spin, gcc] = [find('spin'), find('gcc')]
  return spin === null || gcc === null ? null : { spin, gcc }
}

function find(program) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((path) => isProgram(path)) ?? null
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
