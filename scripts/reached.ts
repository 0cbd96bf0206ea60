// `node scripts/reached.ts COMMIT`: the tests that the changes since a commit can reach, as JSON.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Reach } from './reach.ts'
import { ROOT } from './sources.ts'

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 })
    .split('\n')
    .filter((line) => line !== '')

const since = process.argv[2] ?? ''
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const paths = [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')]
const files = paths
  .filter((path) => /\.(?:[cm]?tsx?|mjs)$/.test(path) && existsSync(join(ROOT, path)))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const entries = new Map<string, string>()
for (const path of paths.filter((path) => /^(?:\w+\/)?[\w-]+\/package\.json$|^\w+\/package\.json$/.test(path))) {
  const { name, exports = {} }: { name?: string; exports?: Record<string, string> | string } = JSON.parse(
    readFileSync(join(ROOT, path), 'utf8'),
  )
  const folder = path.replace(/\/package\.json$/, '')
  for (const [key, file] of Object.entries(typeof exports === 'string' ? { '.': exports } : exports))
    entries.set(join(name ?? '', key), join(folder, file))
}
process.stdout.write(JSON.stringify(new Reach(files, entries).of(new Set(changed))))
