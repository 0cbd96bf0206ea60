import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as rules from './architecture.ts'
import type { Rule, SourceFile } from './architecture.ts'
import * as folders from './folders.ts'
import { backUp } from './map.ts'
import { NOT_YET_TESTED, testRatios } from './sizes.ts'
import { readCode, readFiles, ROOT } from './sources.ts'
import { fieldsLanguage, NOT_YET_RENAMED } from './vocabulary.ts'

const lines = (n: number) => 'x\n'.repeat(n)
const file = (path: string, text: string) => [{ path, text }]
const importing = (path: string, target: string) => ({ path, text: `import type { X } from '${target}'` })

const code = readCode()
const pages = readFiles('*.md', 'docs/**/*.md', 'package-lock.json')

test('there is something to judge', () => {
  expect(code.length).toBeGreaterThan(50)
  expect(pages.map(({ path }) => path)).toContain('package-lock.json')
})

describe('the house', () => {
  test.each<[string, Rule]>([
    ['packages import only along the arrows', rules.arrows],
    ['core imports nothing, the contract only zod', rules.bareness],
    ['the pretend broker knows only the market rules of core', rules.simKnowsTheMarketOnly],
    ['the folders of the web client import only downwards', folders.webFloors],
    ['features of the web client do not import each other', folders.featuresApart],
    ['no import cycles', rules.cycles],
    ['no cycles between the folders of a package', folders.folderCycles()],
    ['no arrow back up in the map', backUp],
    ['packages have their tests', testRatios(NOT_YET_TESTED)],
    ['names are words of the field', fieldsLanguage(NOT_YET_RENAMED)],
    ['core is pure', rules.corePurity],
    ['files are short and know few others', rules.houseNumbers],
    ['names say something, one index.ts per package', rules.names],
    ['connections to PostgreSQL have a listener', rules.listenedConnections],
    ['no escapes, silenced rules or unfinished marks', rules.bannedMarks],
  ])('%s', (_name, rule) => expect(rule(code)).toEqual([]))

  test.each<[string, Rule]>([
    ['README and decision records are short', rules.shortPages],
    ['pages name files that exist', rules.namedPaths((path) => existsSync(join(ROOT, path)))],
    ['the lock file holds every platform and no addresses', rules.lockFile],
  ])('%s', (_name, rule) => expect(rule(pages)).toEqual([]))
})

describe('each rule can fail', () => {
  const krx = { path: 'packages/core/src/krx/tick.ts', text: 'export const tickSize = 1' }
  // Written in two parts, because this file is judged too.
  const mark = (head: string, tail: string) => file('scripts/a.ts', `const a = 1 // ${head}${tail}`)

  test.each<[string, Rule, SourceFile[], string]>([
    [
      'core → kis',
      rules.arrows,
      file('packages/core/src/a.ts', "import { x } from '@digger/kis'"),
      'core must not import kis',
    ],
    [
      'web → server',
      rules.arrows,
      file('packages/web/src/a.tsx', "import type {\n  X,\n} from '@digger/server'"),
      'web must not',
    ],
    [
      'kis-sim → server, dynamically',
      rules.arrows,
      file('packages/kis-sim/src/a.ts', "await import('@digger/server')"),
      'must not',
    ],
    [
      'a re-export',
      rules.arrows,
      file('packages/kis/src/a.ts', "export * from '@digger/core'"),
      'kis must not import core',
    ],
    [
      'watcher → core',
      rules.arrows,
      file('apps/watcher/src/a.ts', "import '@digger/core'"),
      'watcher must not import core',
    ],
    ['watcher → kis', rules.arrows, file('apps/watcher/src/a.ts', "import type { X } from '@digger/kis'"), 'must not'],
    ['server source → kis-sim', rules.arrows, file('packages/server/src/a.ts', "import '@digger/kis-sim'"), 'must not'],
    [
      'out of the package',
      rules.arrows,
      file('packages/web/src/a.ts', "import x from '../../core/src/a.ts'"),
      'leaves the',
    ],
    ['an unknown package', rules.arrows, file('packages/new/src/a.ts', ''), 'no place in the house'],
    [
      'core with a library',
      rules.bareness,
      file('packages/core/src/a.ts', "import { z } from 'zod'"),
      'core imports zod',
    ],
    ['contract with node', rules.bareness, file('packages/contract/src/a.ts', "import 'node:fs'"), 'it may import zod'],
    [
      'the sim judging by our rules',
      rules.simKnowsTheMarketOnly,
      [
        krx,
        {
          path: 'packages/kis-sim/src/a.ts',
          text: "import { tickSize, type Venue, planBuy as p } from '@digger/core'",
        },
      ],
      'imports Venue of core',
    ],
    [
      'the sim open by our hours',
      rules.simKnowsTheMarketOnly,
      [
        krx,
        { path: 'packages/core/src/krx/session.ts', text: 'export function phaseAt(' },
        { path: 'packages/kis-sim/src/a.ts', text: "import { phaseAt, tickSize } from '@digger/core'" },
      ],
      'imports phaseAt of core',
    ],
    ['a clock', rules.corePurity, file('packages/core/src/a.ts', 'const now = Date.now()'), 'Date.now'],
    ['today', rules.corePurity, file('packages/core/src/a.ts', 'const now = new Date( )'), 'new Date'],
    ['waiting', rules.corePurity, file('packages/core/src/a.ts', 'export async function f() {}'), 'async'],
    ['chance', rules.corePurity, file('packages/core/src/a.ts', 'Math.random()'), 'Math.random'],
    ['301 lines', rules.houseNumbers, file('scripts/a.ts', lines(301)), '301 lines'],
    ['16 imports', rules.houseNumbers, file('scripts/a.ts', "import 'x'\n".repeat(16)), '16 imports'],
    ['utils', rules.names, file('packages/web/src/utils/date.ts', ''), '"utils" says nothing'],
    ['helpers', rules.names, file('packages/web/src/helper.ts', ''), '"helper.ts" says nothing'],
    ['a second index', rules.names, file('packages/web/src/features/index.ts', ''), 'one index.ts per package'],
    [
      'a client that nobody listens to',
      rules.listenedConnections,
      file('trials/a.ts', "import { Client } from 'pg'\nnew Client()"),
      'clientOf',
    ],
    ['any type', rules.bannedMarks, mark('\nlet b:', ' any'), 'an escape'],
    ['any cast', rules.bannedMarks, mark('\nb as', ' any'), 'an escape'],
    ['a silenced type', rules.bannedMarks, mark('@ts-', 'ignore'), 'a silenced type'],
    ['a silenced rule', rules.bannedMarks, mark('oxlint-', 'disable'), 'a silenced lint'],
    ['an unfinished mark', rules.bannedMarks, mark('TO', 'DO later'), 'unfinished'],
    ['a lonely test', rules.bannedMarks, mark('test.', 'only('), 'does not run'],
    ['a test that may fail', rules.bannedMarks, mark('test.', 'fail('), 'does not run'],
    ['a test put off', rules.bannedMarks, mark('test.', 'fixme('), 'does not run'],
    ['a test switched off', rules.bannedMarks, mark('test.', "skip('x')"), 'does not run'],
    ['a long README', rules.shortPages, file('README.md', lines(121)), '121 lines'],
    ['a long record', rules.shortPages, file('docs/decisions/001-x.md', lines(61)), '61 lines'],
    [
      'an address',
      rules.lockFile,
      file('package-lock.json', '{ "packages": { "a": { "resolved": "https://x" } } }'),
      'download addresses',
    ],
    [
      'a platform left out',
      rules.lockFile,
      file(
        'package-lock.json',
        '{ "packages": { "node_modules/a": { "optionalDependencies": { "a-arm": "1.0.0" } } } }',
      ),
      'lacks a-arm',
    ],
  ])('%s', (_name, rule, files, expected) => {
    const found = rule(files)
    expect(found[0]).toContain(expected)
    expect(found.every((line) => line.startsWith(files.at(-1)?.path ?? ''))).toBe(true)
  })

  test.each<[string, Rule, SourceFile[]]>([
    ['a package along its arrow', rules.arrows, file('packages/server/src/a.ts', "import { x } from '@digger/core'")],
    ['the start-up file runs the sim', rules.arrows, file('apps/digger/src/main.ts', "import '@digger/kis-sim'")],
    [
      'a test of the server runs the sim',
      rules.arrows,
      file('packages/server/test/a.test.ts', "import '@digger/kis-sim'"),
    ],
    [
      'a core test uses its tools',
      rules.bareness,
      file('packages/core/src/a.test.ts', "import { test } from 'vitest'"),
    ],
    ['a date of something', rules.corePurity, file('packages/core/src/a.ts', 'new Date(ms)')],
    [
      'a comment about waiting',
      rules.corePurity,
      file('packages/core/src/a.ts', '/** never async */\nf() // await nothing'),
    ],
    [
      'a test of the watcher runs a server',
      rules.arrows,
      file('apps/watcher/test/a.test.ts', "import '@digger/server'"),
    ],
    ['300 lines', rules.houseNumbers, file('scripts/a.ts', lines(300))],
    ['15 imports', rules.houseNumbers, file('scripts/a.ts', "import 'x'\n".repeat(15))],
    ['an index of many', rules.houseNumbers, file('packages/core/src/index.ts', "import 'x'\n".repeat(30))],
    ['the index of a package', rules.names, file('packages/web/src/index.ts', '')],
    [
      'a pool of another library',
      rules.listenedConnections,
      file('bench/a.ts', "import { Pool } from 'undici'\nnew Pool(origin)"),
    ],
    ['a skip with its reason', rules.bannedMarks, file('e2e/a.spec.ts', "test.skip(!asked, 'only when asked')")],
    ['the word anybody', rules.bannedMarks, file('scripts/a.ts', 'as anybody: anyone // default: any')],
    [
      'a placeholder in a folder',
      rules.namedPaths((path) => path === 'docs/decisions/'),
      file('README.md', '`docs/decisions/NNN-x.md`'),
    ],
    ['120 lines', rules.shortPages, file('README.md', lines(120))],
  ])('but not for %s', (_name, rule, files) => expect(rule(files)).toEqual([]))

  test('a cycle is reported once, with its path', () => {
    const circle = [
      importing('packages/core/src/a.ts', './krx/b.ts'),
      importing('packages/core/src/krx/b.ts', '../c.ts'),
      importing('packages/core/src/c.ts', './a.ts'),
      importing('packages/core/src/d.ts', './a.ts'),
    ]
    expect(rules.cycles(circle)).toEqual([
      'import cycle: packages/core/src/a.ts → packages/core/src/krx/b.ts → packages/core/src/c.ts → packages/core/src/a.ts',
    ])
    expect(rules.cycles(circle.slice(1))).toEqual([])
  })
})
