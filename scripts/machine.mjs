// What `npm test` wants of the machine beside Node, and what it may install there: nothing, unless somebody agreed.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { findNats } from '../packages/cluster/test/find-nats.mjs'
import { findPostgres } from '../packages/database/test/find-postgres.mjs'
import { findSpin } from '../simulation/model/find-spin.mjs'

export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

export const PROGRAMS = [
  {
    name: 'Chromium',
    debian: 'chromium',
    byHand: 'apt-get install chromium, or set CHROMIUM_PATH',
    unrun: 'browser tests',
    isHere: () => existsSync(CHROMIUM),
  },
  {
    name: 'PostgreSQL',
    debian: 'postgresql',
    byHand: 'apt-get install postgresql',
    unrun: 'tests of the server on PostgreSQL (on the embedded database they ran)',
    isHere: () => findPostgres() !== null,
  },
  {
    name: 'NATS',
    debian: 'nats-server',
    byHand: 'apt-get install nats-server, or set NATS_SERVER',
    unrun: 'tests of several processes that talk over NATS (within one process they ran)',
    isHere: () => findNats() !== null,
  },
  {
    name: 'Spin',
    // Its searches are C.
    debian: 'spin gcc libc6-dev',
    byHand: 'apt-get install spin gcc libc6-dev',
    unrun: 'the model of two workers in every order of events',
    isHere: () => findSpin() !== null,
  },
]

/** Only root of a Debian can be asked; anybody else is told how to do it. */
export const canInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** On a terminal. Only a clear yes is one. */
export async function askOnTerminal(question) {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await lines.question(question)
  lines.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

/**
 * Whether the named programs may be installed. A build machine (CI=1) and --install agree, --no-install refuses, a person
 * at a terminal is asked; where nobody can be asked nothing is installed.
 */
export async function mayInstall(missing, { args, env, isTerminal, ask = askOnTerminal, say }) {
  const packages = missing.map(({ debian }) => debian).join(' ')
  const command = `apt-get install ${packages}`
  if (args.includes('--no-install')) return false
  if (args.includes('--install') || (env['CI'] ?? '') !== '') return true
  if (isTerminal)
    return ask(
      `${missing.map(({ name }) => name).join(' and ')} missing. Install outside the project, as root: ${command}?\n` +
        'Without it the rest runs (npm test -- --no-install never asks). [y/N] ',
    )
  say(`not installed, nobody to ask: npm test -- --install does ${command} by itself`)
  return false
}

/**
 * Installs what is missing where that is possible and allowed.
 * @returns the programs still missing; a failed installation leaves its program among them
 */
export async function prepareMachine({ programs = PROGRAMS, install, possible = canInstall(), say, ...consent }) {
  const missing = programs.filter(({ isHere }) => !isHere())
  if (missing.length === 0) return []
  if (!possible) say('only root of a Debian can install what is missing')
  else if (await mayInstall(missing, { ...consent, say })) {
    for (const { name, debian } of missing) {
      say(`${name}: apt-get install ${debian}, because it is missing`)
      try {
        await install(debian)
      } catch (error) {
        say(`${name}: cannot be installed here (${error instanceof Error ? error.message : String(error)})`)
      }
    }
  }
  const still = missing.filter(({ isHere }) => !isHere())
  for (const { name, byHand } of still) say(`${name}: none here; ${byHand}`)
  return still
}

/** What was not run, said last where it is seen; the exit code of a run whose every step passed. */
export function verdict(missing, { args }) {
  if (missing.length === 0) return { lines: [], code: 0 }
  const lines = missing.map(({ name, unrun, byHand }) => `NOT RUN: ${unrun}, because ${name} is missing (${byHand})`)
  const withoutBrowser = missing.some(({ name }) => name === 'Chromium')
  if (!withoutBrowser || args.includes('--without-browser')) return { lines, code: 0 }
  return { lines: [...lines, 'This is no pass: say npm test -- --without-browser to go without.'], code: 2 }
}
