import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CALLS } from './checklist/calls.ts'
import { CONSTANTS, ENTITIES, ERRORS, ROLES, STATES, VALIDATION } from './checklist/rules.ts'
import { SCREENS } from './checklist/screens.ts'
import { expect, test } from './test.ts'

/** The sections of the specification in their order, from 2 on. */
const SECTIONS = [SCREENS, ENTITIES, STATES, VALIDATION, ROLES, CALLS, ERRORS, CONSTANTS]
const ROOT = new URL('..', import.meta.url).pathname

interface Suite {
  suites?: Suite[]
  specs?: { title: string }[]
}

const titlesIn = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs.map(({ title }) => title),
  ...suites.flatMap(titlesIn),
]

async function browserTitles(): Promise<string[]> {
  const cli = `${ROOT}node_modules/@playwright/test/cli.js`
  const args = [cli, 'test', '-c', 'e2e/playwright.config.ts', '--list', '--reporter=json']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
    // The list belongs on the output, wherever reports go otherwise.
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: '', PLAYWRIGHT_JSON_OUTPUT_FILE: '' },
  })
  const listed: Suite = JSON.parse(stdout)
  return titlesIn(listed)
}

/** The first text of every `test(…)` and `test.each(…)(…)` of the unit tests. */
async function unitTitles(): Promise<string[]> {
  const titles: string[] = []
  for await (const file of glob('packages/{web,server,core}/**/*.test.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })) {
    const text = await readFile(`${ROOT}${file}`, 'utf8')
    for (const [, , title] of text.matchAll(/(?:\btest|\bit|\]\))\(\s*(['"])(.*?)\1,/g)) titles.push(title ?? '')
  }
  return titles
}

test('every sentence of the specification has tests, and they exist', { tag: '@fixture' }, async () => {
  const known = new Set([...(await browserTitles()), ...(await unitTitles())])
  const missing = SECTIONS.flatMap((sentences, section) =>
    sentences.flatMap(([quote, ...tests], index) =>
      tests
        .filter((title) => !known.has(title))
        .map((title) => `${section + 2}.${index + 1} ${quote}: no test “${title}”`),
    ),
  )
  expect(missing).toEqual([])
  const quotes = SECTIONS.flatMap((sentences, section) => sentences.map(([quote]) => `${section + 2} ${quote}`))
  expect(new Set(quotes).size).toBe(quotes.length)
  expect(SECTIONS.flat().filter(([, ...tests]) => tests.length === 0)).toEqual([])
})
