import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkCommits, problemsOf, reportOf, withoutComments } from './commits.mjs'

const BODY = 'Nobody could see why a change was made.'

test.each([
  ['a subject over 72 characters', `${'x'.repeat(73)}\n\n${BODY}`, 'its subject has 73 characters, at most 72'],
  ['no body', 'Add a check', 'it has no body that says why'],
  ['a body of two words', 'Add a check\n\nas discussed', 'it has no body that says why'],
  ['only who signed it', 'Add a check\n\nSigned-off-by: Somebody <somebody@digger.test>', 'it has no body'],
  ['no blank line', `Add a check\n${BODY}\n${BODY}`, 'its second line is not blank'],
  ['nothing', '', 'it has no subject'],
])('%s is refused', (_name, message, problem) => expect(problemsOf(message).join('; ')).toContain(problem))

test.each([
  ['72 characters and a reason', `${'x'.repeat(72)}\n\n${BODY}`],
  ['a merge', "Merge branch 'kis'"],
  ['what will be folded into another commit', 'fixup! Add a check'],
])('%s is fine', (_name, message) => expect(problemsOf(message)).toEqual([]))

test('comments of the editor are no reason', () => {
  const written = `Add a check\n\n# Please enter the commit message\n# ---- >8 ----\ndiff --git a b`
  expect(problemsOf(withoutComments(written))).toEqual(['it has no body that says why'])
})

describe('in a repository', () => {
  let folder = ''
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@digger.test', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const commit = (message: string): string => {
    git('commit', '-q', '--allow-empty', '--no-verify', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'digger-commits-'))
    git('init', '-q', '-b', 'work')
    commit('old and bad')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('only what came after the last landed point is judged, merges are not', () => {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    commit(`New and good\n\n${BODY}`)
    git('checkout', '-q', '-b', 'side', 'HEAD~1')
    git('merge', '-q', '--no-ff', '-m', 'Joined', 'work')
    expect(reportOf(checkCommits(folder))).toMatch(/^commits: 1 since [0-9a-f]{40}, 0 problems$/)
    const bad = commit('New and bad')
    expect(checkCommits(folder).problems).toEqual([`${bad.slice(0, 7)} "New and bad": it has no body that says why`])
  })

  test('a base may be named', () => {
    const base = git('rev-parse', 'HEAD')
    commit('New and bad')
    expect(checkCommits(folder, base)).toMatchObject({ count: 1, problems: [expect.stringContaining('no body')] })
    expect(checkCommits(folder, 'HEAD')).toMatchObject({ count: 0, problems: [] })
    expect(checkCommits(folder, 'nowhere').skipped).toBe('there is no commit nowhere here')
  })

  test('where there is nothing to judge from it says so and fails nobody', () => {
    expect(reportOf(checkCommits(folder))).toMatch(/^commits: SKIPPED, neither origin\/main nor [0-9a-f]+ is/)
    const shallow = mkdtempSync(join(tmpdir(), 'digger-shallow-'))
    commit('another')
    git('clone', '-q', '--depth', '1', `file://${folder}`, join(shallow, 'clone'))
    expect(reportOf(checkCommits(join(shallow, 'clone')))).toBe('commits: SKIPPED, the clone is shallow')
    const none = join(shallow, 'none')
    execFileSync('mkdir', [none])
    expect(checkCommits(none)).toMatchObject({ problems: [], skipped: 'there is no git history here' })
    rmSync(shallow, { recursive: true })
  })

  test('the hook refuses a message before it becomes a commit', () => {
    const file = join(folder, 'MESSAGE')
    const hook = (): number | null => {
      try {
        execFileSync('node', [join(import.meta.dirname, 'commits.mjs'), '--message', file], { stdio: 'ignore' })
        return 0
      } catch {
        return 1
      }
    }
    writeFileSync(file, 'Add a check\n')
    expect(hook()).toBe(1)
    writeFileSync(file, `Add a check\n\n${BODY}\n`)
    expect(hook()).toBe(0)
  })
})
