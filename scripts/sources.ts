import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from './architecture.ts'

export const ROOT = join(import.meta.dirname, '..')

const IGNORED = new Set(['node_modules', 'dist'])

export const readFiles = (...patterns: readonly string[]): SourceFile[] =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: (name) => IGNORED.has(name) }))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Everything written by hand that runs, tests too. */
export const readCode = (): SourceFile[] =>
  readFiles(
    '{packages,apps}/*/{src,test,build,worker}/**/*.{ts,tsx}',
    '{trials,simulation,scripts,bench,e2e}/**/*.{ts,mjs}',
  )
