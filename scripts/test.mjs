// `npm test`: everything that can fail, from a fresh clone: setup, checks, unit tests, web build, browser tests.
// --install, --no-install: what the machine lacks. --without-browser: pass without the browser tests, which exit 2 otherwise.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { checkCommits, reportOf } from './commits.mjs'
import { CHROMIUM, prepareMachine, verdict } from './machine.mjs'
import { buildWeb, main, NODE, ROOT, say, setup, SetupError } from './setup.mjs'

const ARGS = process.argv.slice(2)
/** Programs that nobody installed; what needs them is not run. */
let missing = []

/** As root in a container, without a GPU, and without calls home. */
const CHROMIUM_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

const reports = mkdtempSync(join(tmpdir(), 'digger-test-'))
const VITEST_REPORT = join(reports, 'vitest.json')
const PLAYWRIGHT_REPORT = join(reports, 'playwright.json')

const env = {
  ...process.env,
  PATH: [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
  PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT,
}

const onNode =
  (...args) =>
  () =>
    run(NODE, args)
const STEPS = [
  ['setup', setup],
  ['programs of this machine', machine],
  ['commit messages', commitMessages],
  ['types, lint and format', () => run('npm', ['run', '-s', 'check'])],
  [
    'unit and integration tests',
    onNode(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${VITEST_REPORT}`,
    ),
  ],
  ['web build', buildWeb],
  ['browser tests', browserTests],
]

await main(async () => {
  for (const [title, body] of STEPS) await step(title, body)
})
const { passed, failed, skipped, flaky } = counts()
rmSync(reports, { recursive: true, force: true })
console.log(
  `\n${passed} passed, ${failed} failed, ${skipped} skipped${flaky > 0 ? `, ${flaky} FLAKY (passed the second time)` : ''}`,
)
const { lines, code } = verdict(missing, { args: ARGS })
for (const line of lines) console.log(line)
if (code !== 0 && !process.exitCode) process.exitCode = code

async function step(title, body) {
  console.log(`\n=== ${title}`)
  const began = performance.now()
  const took = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  try {
    await body()
    console.log(`=== ${title}: passed in ${took()}`)
  } catch (error) {
    console.log(`=== ${title}: FAILED after ${took()}`)
    throw error
  }
}

async function run(command, args) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new SetupError(`${command} could not be started: ${cause.message}`)))
    child.on('exit', resolve)
  })
  if (code !== 0) throw new SetupError(`failed (exit ${code}): ${command} ${args.join(' ')}`)
}

function isMissing(program) {
  return missing.some(({ name }) => name === program)
}

/** Installs only what somebody agreed to. */
async function machine() {
  missing = await prepareMachine({
    args: ARGS,
    env: process.env,
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    say,
    async install(debian) {
      await run('apt-get', ['-q', 'update'])
      await run('apt-get', ['-q', 'install', '-y', '--no-install-recommends', ...debian.split(' ')])
    },
  })
  if (!isMissing('Chromium')) tryChromium()
  // A build machine has everything, or it proves nothing.
  else if (process.env['CI']) throw new SetupError(`Chromium is missing, see above.`)
  if (!isMissing('PostgreSQL')) say('PostgreSQL: here')
}

function tryChromium() {
  const profile = join(reports, 'chromium')
  const args = [...CHROMIUM_FLAGS.split(' '), `--user-data-dir=${profile}`, '--dump-dom', 'about:blank']
  const tried = spawnSync(CHROMIUM, args, { encoding: 'utf8', timeout: 60_000 })
  if (tried.status !== 0)
    throw new SetupError(`${CHROMIUM} does not start: ${tried.error?.message ?? tried.stderr.slice(-500)}`)
  say(`Chromium: ${CHROMIUM} starts`)
}

function commitMessages() {
  const result = checkCommits()
  say(reportOf(result))
  if (result.problems.length > 0) throw new SetupError('commit messages: see CONTRIBUTING, Commits.')
}

async function browserTests() {
  if (isMissing('Chromium')) return say('browser tests: NOT RUN, there is no Chromium')
  await onNode(
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
  )()
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
    passed: sum(vitest?.numPassedTests, browser?.expected, browser?.flaky),
    failed: sum(vitest?.numFailedTests, unloaded, browser?.unexpected),
    skipped: sum(vitest?.numPendingTests, vitest?.numTodoTests, browser?.skipped),
    flaky: sum(browser?.flaky),
  }
}

function sum(...parts) {
  return parts.reduce((total, part) => total + (part ?? 0), 0)
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
