// `node scripts/commits.mjs [BASE]`: a commit's subject says what, its body why. Checks the commits since BASE, or since the
// last landed point. `--message FILE` checks one message that is being written. Plain JavaScript: hooks run on any Node.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ROOT } from './setup.mjs'

export const MAX_SUBJECT = 72
/** The rule is as old as this commit; what came before was written without it. */
export const FIRST = '1eef44c'
/** In characters; below this a body says nothing. */
const MIN_BODY = 20

/** What is wrong with a message, one line each. Merges are what they join: git writes their messages. */
export function problemsOf(message) {
  const [subject = '', second = '', ...rest] = message.trimEnd().split('\n')
  if (/^(?:Merge |Revert "|fixup! |squash! )/.test(subject)) return []
  const body = rest.filter((line) => !/^[\w-]+-by: /i.test(line)).join(' ')
  return [
    ...(subject.trim() === '' ? ['it has no subject'] : []),
    ...(subject.length > MAX_SUBJECT ? [`its subject has ${subject.length} characters, at most ${MAX_SUBJECT}`] : []),
    ...(second.trim() === '' ? [] : ['its second line is not blank']),
    ...(body.trim().length < MIN_BODY ? ['it has no body that says why'] : []),
  ]
}

/** As git will keep it: without comments, and without what follows the scissors. */
export function withoutComments(text) {
  const [kept = ''] = text.split(/^# -+ >8 -+$/m)
  return kept
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trimStart()
}

const gitIn =
  (folder) =>
  (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : null
  }

/** Where the commits to judge begin, or why none can be judged. */
function baseOf(git, asked) {
  if (git('rev-parse', '--git-dir') === null) return { skipped: 'there is no git history here' }
  if (asked !== undefined) return { base: asked }
  if (git('rev-parse', '--is-shallow-repository') === 'true') return { skipped: 'the clone is shallow' }
  const landed = git('merge-base', 'HEAD', 'origin/main')
  const hasFirst = git('merge-base', '--is-ancestor', FIRST, 'HEAD') !== null
  // A branch that left before the rule was made is judged from the rule on.
  if (landed !== null && hasFirst && git('merge-base', '--is-ancestor', landed, FIRST) !== null) return { base: FIRST }
  if (landed !== null) return { base: landed }
  return hasFirst ? { base: FIRST } : { skipped: `neither origin/main nor ${FIRST} is in the history` }
}

/** Problems of all commits since the base, one line each; `skipped` says why nothing was judged. */
export function checkCommits(folder = ROOT, asked) {
  const git = gitIn(folder)
  const { base, skipped } = baseOf(git, asked)
  if (skipped !== undefined) return { skipped, count: 0, problems: [] }
  const log = git('log', '--no-merges', '--format=%h%x00%B%x01', `${base}..HEAD`)
  if (log === null) return { skipped: `there is no commit ${base} here`, count: 0, problems: [] }
  const commits = log
    .split('\x01')
    .map((entry) => entry.trim().split('\0'))
    .filter(([, message]) => message !== undefined)
  const problems = commits.flatMap(([hash, message]) =>
    problemsOf(message).map((problem) => `${hash} "${message.split('\n')[0]}": ${problem}`),
  )
  return { base, count: commits.length, problems }
}

/** One line of what was judged; the problems follow it. */
export function reportOf({ skipped, base, count, problems }) {
  if (skipped !== undefined) return `commits: SKIPPED, ${skipped}`
  return [`commits: ${count} since ${base}, ${problems.length} problems`, ...problems].join('\n')
}

function main([first, file]) {
  if (first !== '--message') {
    const result = checkCommits(ROOT, first)
    console.log(reportOf(result))
    // A base that was asked for must be there.
    return result.problems.length > 0 || (first !== undefined && result.skipped !== undefined)
  }
  const problems = problemsOf(withoutComments(readFileSync(file, 'utf8')))
  for (const problem of problems) console.error(`commit message: ${problem}`)
  return problems.length > 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && main(process.argv.slice(2))) process.exitCode = 1
