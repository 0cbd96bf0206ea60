import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Everything a run executes of ours; package.json files name the versions of others. */
const SOURCES = ['{packages,apps,trials}/*/{src/**/*.ts,*.ts,package.json}', 'simulation/**/*.ts', 'package.json']

/** Names the program by what its sources say, committed or not, in any folder. */
export function versionOf(root: string): string {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const hash = createHash('sha256')
  for (const file of files.filter((name) => !isAside(name)).toSorted())
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 12)
}

const isAside = (file: string): boolean => file.endsWith('.test.ts') || file.startsWith('packages/web/')
