// `npm run prove`: every long judge, one line each. --list shows them, --only NAME (again for more) runs some, --minutes N as
// many as fit, --seed S gives all of them the same seed, --resume leaves out what has passed on this very code, --tried
// what has not passed yet. --install gets what they need from Debian.
// `npm run prove -- NAME OPTIONS …`: one of them alone, with options of its own instead of those of the list.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { fetchPrograms } from '../programs/programs.mjs'
import type { Judge } from './judge.ts'
import { JUDGES } from './judges.ts'
import { codeOf, commitOf, readMemory, remember } from './memory.ts'
import { install, missingFor } from './needs.ts'
import { expectedMinutes, inOrder, isCurrent, nextWithin } from './order.ts'
import { commandOf, type Outcome, runJudge, surroundings } from './run.ts'

/** A judge that hangs is ended: after three times what it was thought to take, and never before this many minutes. */
const MIN_LIMIT = 5
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const [asked = ''] = process.argv.slice(2)
// `bench` is any of bench-…: they are one program.
const alone = JUDGES.find(({ name }) => name === asked || (asked !== '' && name.startsWith(`${asked}-`)))
if (alone !== undefined) {
  const { status } = spawnSync('/bin/sh', ['-c', `${alone.program} "$@"`, 'sh', ...process.argv.slice(3)], {
    ...surroundings(),
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string' },
    /** Other ones each day in Korea, days since 1970: a failure of yesterday is found again by its number. */
    seed: { type: 'string', default: String(Math.floor((Date.now() + 9 * 3_600_000) / 86_400_000)) },
    resume: { type: 'boolean', default: false },
    /** Those alone that passed when they ran last: a build machine judges a change, not a judge that nobody has seen pass. */
    tried: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const budget = Number(values.minutes ?? Number.POSITIVE_INFINITY)
const unknown = values.only.filter((name) => JUDGES.every((judge) => judge.name !== name))
if (unknown.length > 0 || !Number.isSafeInteger(seed) || Number.isNaN(budget)) {
  print(`not known: ${[...unknown, values.seed, values.minutes].join(' ')}; npm run prove -- --list names the judges`)
  process.exit(2)
}

const memory = readMemory()
const known = { memory, codeOf, commit: commitOf() }
const wanted = inOrder(JUDGES, known)
  .filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  .filter((judge) => !values.resume || !isCurrent(judge, known))
  .filter(({ name }) => !values.tried || memory[name]?.passed === true)

if (values.list) for (const judge of wanted) print(described(judge))
else await prove(wanted)

function described(judge: Judge): string {
  const last = memory[judge.name]
  const when = last === undefined ? 'never run' : `${last.passed ? 'passed' : 'FAILED'} ${last.at.slice(0, 10)}`
  const state = last?.passed === true && !isCurrent(judge, known) ? `${when}, its code changed since` : when
  return `${lineOf('', judge.name, expectedMinutes(judge, memory))} ${judge.shows} (${state})`
}

function lineOf(end: string, name: string, minutes: number): string {
  return `${end.padEnd(8)}${name.padEnd(18)} ${minutes.toFixed(1).padStart(5)} min `
}

async function prove(judges: readonly Judge[]): Promise<void> {
  await fetchPrograms(print)
  const began = performance.now()
  const left = (): number => budget - (performance.now() - began) / 60_000
  const ends = { passed: 0, failed: 0, 'not run': 0 }
  const open = [...judges]
  for (let next = nextWithin(open, left(), memory); next !== null; next = nextWithin(open, left(), memory)) {
    open.splice(open.indexOf(next), 1)
    const outcome = await outcomeOf(next, left())
    ends[outcome.end]++
    print(
      lineOf(outcome.end === 'failed' ? 'FAILED' : outcome.end, next.name, outcome.seconds / 60) +
        (outcome.last.at(-1) ?? ''),
    )
    if (outcome.end === 'failed')
      print([...outcome.last.map((line) => `    ${line}`), `    again: ${outcome.command}`].join('\n'))
  }
  if (open.length > 0) print(`no time left for ${open.map(({ name }) => name).join(', ')}`)
  print(`${ends.passed} passed, ${ends.failed} failed${ends['not run'] > 0 ? `, ${ends['not run']} skipped` : ''}`)
  process.exitCode = ends.failed > 0 ? 1 : 0
}

async function outcomeOf(judge: Judge, left: number): Promise<Outcome> {
  if (values.install) install(judge, print)
  const missing = missingFor(judge)
  if (missing.length > 0)
    return { end: 'not run', seconds: 0, last: [`${missing.join(', ')}: missing`], command: commandOf(judge, seed) }
  const limit = Math.max(MIN_LIMIT, expectedMinutes(judge, memory) * 3)
  const outcome = await runJudge(judge, seed, Math.min(limit, Math.max(MIN_LIMIT, left * 2)))
  const passed = outcome.end === 'passed'
  if (outcome.end !== 'not run')
    remember(judge.name, {
      passed,
      at: new Date().toISOString(),
      seconds: Math.round(outcome.seconds),
      seed,
      code: codeOf(judge),
    })
  return outcome
}
