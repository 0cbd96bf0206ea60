import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { sentencesOf } from './covers.ts'

const ROOT = new URL('../..', import.meta.url).pathname

/** A test that says it proves a sentence. */
export interface Claim {
  test: string
  sentence: string
  /** False where the test is left out, or expected to fail. */
  counts: boolean
}

interface ListedTest {
  expectedStatus: string
  annotations: { type: string; description?: string }[]
}
export interface ListedSuite {
  suites?: ListedSuite[]
  specs?: { title: string; file: string; ok: boolean; tests: ListedTest[] }[]
}

/** One claim for each sentence of each test, in however many projects it runs. */
export function claimsIn({ suites = [], specs = [] }: ListedSuite): Claim[] {
  const own = specs.flatMap(({ title, file, tests }) => {
    const counts = tests.every(({ expectedStatus }) => expectedStatus === 'passed')
    const sentences = new Set(tests.flatMap(({ annotations }) => sentencesOf(annotations)))
    return [...sentences].map((sentence) => ({ test: `${file}: ${title}`, sentence, counts }))
  })
  return [...own, ...suites.flatMap(claimsIn)]
}

/** What is wrong between sentences with their number of tests and the tests that say they prove them. */
export function gaps(sentences: Readonly<Record<string, number>>, claims: readonly Claim[]): string[] {
  const bySentence = Map.groupBy(claims, ({ sentence }) => sentence)
  return [
    ...claims
      .filter(({ counts }) => !counts)
      .map(({ test, sentence }) => `${test}: does not run, but proves “${sentence}”`),
    ...claims
      .filter(({ sentence }) => !(sentence in sentences))
      .map(({ test, sentence }) => `${test}: no sentence “${sentence}”`),
    ...Object.entries(sentences).flatMap(([sentence, wanted]) => {
      const found = new Set(
        bySentence
          .get(sentence)
          ?.filter(({ counts }) => counts)
          .map(({ test }) => test),
      ).size
      return found >= Math.max(1, wanted) ? [] : [`“${sentence}”: ${found} tests, not ${wanted}`]
    }),
  ]
}

/** Playwright's own report, whatever becomes of the run. */
export async function playwright(config: string, ...flags: readonly string[]): Promise<{ suites: ListedSuite[] }> {
  const cli = `${ROOT}node_modules/@playwright/test/cli.js`
  return JSON.parse(await outputOf([cli, 'test', '-c', config, '--reporter=json', ...flags]))
}

export const browserClaims = async (): Promise<Claim[]> =>
  claimsIn(await playwright('e2e/playwright.config.ts', '--list'))

export interface UnitResult {
  title: string
  status: string
}

/** Runs the unit tests with these titles (of `test.each` too), failing those that compare nothing. */
export async function unitResults(titles: readonly string[], files: string, reportIn: string): Promise<UnitResult[]> {
  const flags = ['--config', 'e2e/spec/vitest.config.ts', '--reporter=json', `--outputFile=${reportIn}`]
  const found = await filesWith(titles, files)
  const pattern = titles.map(patternOf).join('|')
  await outputOf([`${ROOT}node_modules/vitest/vitest.mjs`, 'run', ...flags, '-t', pattern, ...found])
  const report: { testResults: { assertionResults: UnitResult[] }[] } = JSON.parse(await readFile(reportIn, 'utf8'))
  return report.testResults.flatMap(({ assertionResults }) => assertionResults)
}

/** Titles without a test that passed. */
export const unproved = (titles: readonly string[], results: readonly UnitResult[]): string[] =>
  titles.filter((title) => {
    const own = results.filter((one) => new RegExp(`^${patternOf(title)}$`).test(one.title))
    return own.length === 0 || own.some(({ status }) => status !== 'passed')
  })

/** `%s` and `%d` stand for what `test.each` puts there. */
const patternOf = (title: string): string =>
  title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/%[sdij]/g, '.*')

async function filesWith(titles: readonly string[], pattern: string): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    const text = await readFile(`${ROOT}${file}`, 'utf8')
    if (titles.some((title) => text.includes(title))) found.push(file)
  }
  return found
}

/** What it prints, also when it fails. */
const outputOf = (args: readonly string[]): Promise<string> =>
  new Promise((done, fail) => {
    const options = {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
      // Reports belong on the output, wherever they go otherwise.
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: '', PLAYWRIGHT_JSON_OUTPUT_FILE: '' },
    }
    execFile(process.execPath, [...args], options, (error, stdout, stderr) =>
      stdout === '' ? fail(new Error(stderr, { cause: error })) : done(stdout),
    )
  })
