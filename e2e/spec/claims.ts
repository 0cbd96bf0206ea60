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
  specs?: { title: string; file: string; tests: ListedTest[] }[]
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

/** What the browser tests say they prove, by Playwright's own list of them. */
export async function browserClaims(): Promise<Claim[]> {
  const cli = `${ROOT}node_modules/@playwright/test/cli.js`
  return claimsIn(
    JSON.parse(await outputOf([cli, 'test', '-c', 'e2e/playwright.config.ts', '--reporter=json', '--list'])),
  )
}

/** Titles that no file of unit tests has for a test, or only one in which a test may compare nothing. */
export const unproved = (titles: readonly string[], files: readonly string[]): string[] =>
  titles.filter((title) => {
    const own = files.filter((text) => isTitle(text, title))
    return own.length === 0 || own.some((text) => !text.includes(COMPARES))
  })

/** What each file with such a title says before its tests. */
const COMPARES = 'const comparing = () => expect.hasAssertions()\nbeforeEach(comparing)\n'

/** It is given to `test`, or to what `test.each` makes of a table; not to `test.skip`. */
const isTitle = (text: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => {
    const at = text.indexOf(`${quote}${title}${quote}`)
    return at >= 0 && /(?:\btest|\bit|\))\(\s*$/.test(text.slice(0, at))
  })

export async function unitFiles(): Promise<string[]> {
  const texts: string[] = []
  for await (const file of glob('{packages,apps}/**/*.test.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules/**'] }))
    texts.push(await readFile(`${ROOT}${file}`, 'utf8'))
  return texts
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
