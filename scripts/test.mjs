// `npm test`: everything that a change can break, once each, from a fresh clone: setup, checks, unit tests, browser tests.
// `npm test -- --changed [COMMIT]`: only what the changes since a commit can reach (reach.ts).
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { checkCommits, reportOf } from './commits.mjs'
import { fetchPrograms, findChromium, missingPrograms } from './programs/programs.mjs'
import { main, NODE, ROOT, say, setup, SetupError } from './setup.mjs'

const ARGS = process.argv.slice(2)

const reports = mkdtempSync(join(tmpdir(), 'digger-test-'))
const VITEST_REPORT = join(reports, 'vitest.json')
const PLAYWRIGHT_REPORT = join(reports, 'playwright.json')

const STEPS = [
  ['setup', prepare],
  ['commit messages', commitMessages],
  ['types, lint and format', () => run('npm', ['run', '-s', 'check'])],
  ['unit and integration tests', unitTests],
  ['browser tests', browserTests],
]
/** The files of tests that the changes can reach; null: all of them. */
let reached = null
const seconds = []

for (const [title, body] of STEPS) {
  await main(() => step(title, body))
  // The others do not need each other: whoever waits for all of them learns of all that fails.
  if (title === 'setup' && process.exitCode) process.exit()
}
const { passed, failed, skipped } = counts()
rmSync(reports, { recursive: true, force: true })
console.log(`\n${seconds.join('\n')}`)
for (const { name, unrun, byHand } of missingPrograms())
  console.log(`NOT RUN: ${unrun}, because there is no ${name} for this machine among npm packages (${byHand})`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)

async function step(title, body) {
  console.log(`\n=== ${title}`)
  const began = performance.now()
  const ended = (how) => {
    const took = `${((performance.now() - began) / 1000).toFixed(1)} s`
    seconds.push(`${took.padStart(8)}  ${title}${how === 'passed' ? '' : `: ${how}`}`)
    console.log(`=== ${title}: ${how}, ${took}`)
  }
  try {
    await body()
    ended('passed')
  } catch (error) {
    ended('FAILED')
    throw error
  }
}

async function run(command, args) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
      PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new SetupError(`${command} could not be started: ${cause.message}`)))
    child.on('exit', resolve)
  })
  if (code !== 0) throw new SetupError(`failed (exit ${code}): ${command} ${args.join(' ')}`)
}

async function prepare() {
  // Both mostly wait for the registry.
  const fetched = fetchPrograms(say)
  setup()
  await fetched
  tryChromium()
  const at = ARGS.indexOf('--changed')
  if (at === -1) return
  reached = reachedSince(ARGS[at + 1] ?? ownCommits())
  say(
    `nearest to the changes: ${reached.unit.length} files of unit tests and ${reached.browser.length} of browser tests`,
  )
}

function reachedSince(commit) {
  const { stdout, status } = spawnSync(NODE, ['scripts/reached.ts', commit], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new SetupError(`what changed since ${commit} cannot be told`)
  return JSON.parse(stdout)
}

const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()

/** What has not landed, or the last commit where everything has. */
function ownCommits() {
  const landed = git('merge-base', 'HEAD', 'origin/main')
  const isClean = git('status', '--porcelain') === ''
  return landed === '' || (landed === git('rev-parse', 'HEAD') && isClean) ? 'HEAD~1' : landed
}

function tryChromium() {
  const chromium = findChromium()
  if (chromium === null) return
  const tried = spawnSync(chromium, ['--version'], { encoding: 'utf8', timeout: 60_000 })
  if (tried.status !== 0)
    throw new SetupError(`${chromium} does not start: ${tried.error?.message ?? tried.stderr.slice(-500)}`)
}

function commitMessages() {
  const result = checkCommits()
  say(reportOf(result))
  if (result.problems.length > 0) throw new SetupError('commit messages: see CONTRIBUTING, Commits.')
}

async function unitTests() {
  if (reached?.unit.length === 0) return say('none is reached')
  await run(NODE, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    `--outputFile.json=${VITEST_REPORT}`,
    ...['dot', './scripts/unhandled-reporter.ts'].map((reporter) => `--reporter=${reporter}`),
    ...(reached?.unit ?? []),
  ])
}

async function browserTests() {
  if (findChromium() === null) return say('NOT RUN, there is no Chromium')
  if (reached?.browser.length === 0) return say('none is reached')
  const config = ['-c', 'e2e/playwright.config.ts', '--reporter=list,json']
  await run(NODE, ['node_modules/@playwright/test/cli.js', 'test', ...config, ...(reached?.browser ?? [])])
}

/** Sums of both reports; a step that did not run counts nothing. */
function counts() {
  const vitest = read(VITEST_REPORT)
  const browser = read(PLAYWRIGHT_REPORT)?.stats
  // A test file that does not load holds no test that could fail.
  const unloaded = vitest?.testResults?.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  return {
    passed: sum(vitest?.numPassedTests, browser?.expected),
    failed: sum(vitest?.numFailedTests, unloaded, browser?.unexpected),
    skipped: sum(vitest?.numPendingTests, vitest?.numTodoTests, browser?.skipped),
  }
}

function sum(...parts) {
  return parts.reduce((total, part) => total + (part ?? 0), 0)
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
