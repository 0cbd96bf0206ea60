import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'
import type { Judge } from './judge.ts'
import type { Ended, Memory } from './order.ts'

/** Committed: whoever comes next, a build machine among them, goes on where others stopped. */
const MEMORY = 'scripts/prove/memory.json'
const FILE = join(ROOT, MEMORY)

export const readMemory = (): Record<string, Ended> => JSON.parse(readFileSync(FILE, 'utf8'))

/** Written after each judge: a run that is ended has lost nothing. */
export function remember(name: string, ended: Ended): void {
  const all: Memory = { ...readMemory(), [name]: ended }
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`)
}

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    // A tree without its history knows only that it is another one.
    return ''
  }
}

export const commitOf = (): string => git('rev-parse', 'HEAD').trim()

/** A hash of what a judge covers: as committed, with what is changed beside. */
export function codeOf({ covers }: Judge): string {
  // The memory itself is no code: else whatever covers its folder would be old with every judge that ends.
  const lines = git('ls-tree', '-r', 'HEAD', '--', ...covers).split('\n')
  const hash = createHash('sha256')
  hash.update(lines.filter((line) => !line.endsWith(MEMORY)).join('\n'))
  hash.update(git('diff', 'HEAD', '--', ...covers, `:!${MEMORY}`))
  return hash.digest('hex').slice(0, 12)
}
