import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { ROOT } from './sources.ts'

/** As Vitest hands it on: where it knows, with the file that ran in that process when nobody caught this. */
export interface Unhandled {
  readonly message: string
  readonly stack?: string
  readonly VITEST_TEST_PATH?: unknown
}

/**
 * One line for each error that nobody caught. What Vitest does not know is taken from the stack, tests before other files of ours; and
 * where that names none, one of `unended`, files that began and never ended, has to be it.
 */
export const unhandledLines = (errors: readonly Unhandled[], unended: readonly string[]): string[] =>
  errors.map((error) => `UNHANDLED in ${placeOf(error, unended)}: ${error.message.split('\n')[0] ?? ''}`)

function placeOf({ stack = '', VITEST_TEST_PATH: known }: Unhandled, unended: readonly string[]): string {
  if (typeof known === 'string') return relative(ROOT, known)
  const ours = [...stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+\.m?[jt]sx?):\d+/g)]
    .map(([, path = '']) => relative(ROOT, path))
    .filter((path) => !/^\.\.|node_modules/.test(path))
  const fallback = unended.length > 0 ? unended.join(' or ') : 'no test file (the run itself)'
  return ours.find((path) => /\.(?:test|prove)\.tsx?$/.test(path)) ?? ours[0] ?? fallback
}

/**
 * A run in which every test passes fails all the same by an error that nobody caught: its very last lines say in which file. They are
 * also written to the file that UNHANDLED_REPORT names, for whoever goes on printing afterwards.
 */
export default class UnhandledReporter implements Reporter {
  readonly #unended = new Set<string>()

  onTestModuleStart({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#unended.add(relative(ROOT, moduleId))
  }

  onTestModuleEnd({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#unended.delete(relative(ROOT, moduleId))
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly Unhandled[]): void {
    const lines = unhandledLines(errors, [...this.#unended])
    const text = lines.map((line) => `${line}\n`).join('')
    const file = process.env['UNHANDLED_REPORT']
    if (file !== undefined) writeFileSync(file, text)
    // Behind the summaries of all other reporters.
    if (text !== '') process.once('exit', () => process.stdout.write(`\n${text}`))
  }
}
