import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dangersIn, goneFrom, problemsOfTable } from './asvs.ts'
import { readCode, readFiles, ROOT } from './sources.ts'

const read = (path: string): string => readFiles(path)[0]?.text ?? ''
const page = read('docs/asvs.md')
const ids = read('docs/asvs-ids.txt')
const exists = (path: string): boolean => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() ?? false

const row = (id: string): string => page.split('\n').find((line) => line.startsWith(`| ${id} |`)) ?? ''
const problemsWith = (from: string, to: string): string[] => {
  expect(page).toContain(from)
  return problemsOfTable({ page: page.replace(from, to), ids, exists })
}

describe('the table of ASVS 5.0, levels 1 and 2', () => {
  test('has 253 requirements, each with a verdict that is shown or explained', () => {
    expect(ids.trimEnd().split('\n')).toHaveLength(253)
    expect(problemsOfTable({ page, ids, exists })).toEqual([])
  })

  test.each([
    ['a row that was removed', `${row('6.3.3')}\n`, '', '6.3.3 2: is missing'],
    ['a row that is there twice', row('6.3.3'), `${row('6.3.3')}\n${row('6.3.3')}`, '6.3.3 2: is there twice'],
    ['a requirement of another level', '| 6.3.3 | 2 |', '| 6.3.3 | 1 |', '6.3.3 1: is no requirement of this level'],
    [
      'a file that does not exist',
      'test/second-factor.test.ts`',
      'test/gone.test.ts`',
      /names .*gone\.test\.ts, which/,
    ],
    [
      'a folder in place of a file',
      row('8.2.1'),
      '| 8.2.1 | 1 | x | met | `packages/server` |',
      /names packages\/server, which/,
    ],
    ['a verdict of one’s own', row('16.4.3'), '| 16.4.3 | 2 | x | nearly | soon |', '16.4.3: nearly is no verdict'],
    [
      'met without a file',
      row('8.2.1'),
      '| 8.2.1 | 1 | x | met | it is so |',
      '8.2.1: names no file or test that shows it',
    ],
    ['no reason', row('10.4.1'), '| 10.4.1 | 1 | x | not ours |  |', '10.4.1: not ours, and does not say why'],
    [
      'a file in place of a reason',
      row('6.5.5'),
      '| 6.5.5 | 2 | x | partly | `docs/asvs.md` |',
      /^6\.5\.5: partly, and/,
    ],
    [
      'a total that is not so',
      /^\| met .*$/m.exec(page)?.[0] ?? '',
      '| met | 1 | 2 | 3 |',
      /^met: the page says 1 2 3/,
    ],
  ])('%s is found', (_name, from, to, expected) => {
    expect(problemsWith(from, to)).toContainEqual(expect.stringMatching(expected))
  })
})

test('every file that this page and security.md name is there', () => {
  expect([page, read('docs/security.md')].flatMap((text) => goneFrom(text, exists))).toEqual([])
  expect(goneFrom('`docs/gone.md` and `scripts/asvs.ts`', exists)).toEqual(['docs/gone.md'])
})

describe('what the table says of all the code', () => {
  test('is so', () => expect(dangersIn(readCode())).toEqual([]))

  test.each([
    ['const a = eval(text)', 'runs text as code'],
    ['<p dangerouslySetInnerHTML={x} />', 'puts text in a page as HTML'],
    ['sql.raw(name)', 'makes SQL of text'],
    ["import { exec } from 'node:child_process'", 'starts another program'],
    ['{ rejectUnauthorized: false }', 'believes any certificate'],
    ["{ minVersion: 'TLSv1' }", 'allows old TLS or a lenient HTTP parser'],
    ["createHash('md5')", 'hashes with what is broken'],
    ["createCipheriv('aes-256-cbc', key, iv)", 'encrypts without authentication'],
    ['publicEncrypt(key, bytes)', 'encrypts by the padding that leaks'],
    ['Math.random()', 'takes chance that can be foreseen'],
  ])('%s would be found', (text, name) => {
    const path = 'packages/server/src/a.ts'
    expect(dangersIn([{ path, text }])).toEqual([`${path}: ${name}`])
  })

  test('every exception is still one', () => {
    const code = readCode()
    const needed = dangersIn(code.map(({ path, text }) => ({ path: path.replace('/src/', '/src/x/'), text })))
    expect(new Set(needed.map((line) => line.replace('/src/x/', '/src/').split(':', 1)[0]))).toEqual(
      new Set([
        'apps/digger/src/daily-backup.ts',
        'packages/database/src/shards.ts',
        'packages/kis-sim/src/socket/frames.ts',
        'packages/kis/src/decode/notice.ts',
        'packages/kis/src/socket/back-off.ts',
        'packages/kis/src/transport/calls.ts',
      ]),
    )
  })
})

test('the words that no password may be are written down for people', () => {
  const [, list = ''] = /CONTEXT_WORDS = \[([^\]]+)\]/.exec(read('packages/identity/src/users/passwordRules.ts')) ?? []
  const words = [...list.matchAll(/'([^']+)'/g)].map(([, word]) => word)
  expect(words.length).toBeGreaterThan(3)
  expect(words.filter((word) => !read('docs/security.md').includes(`\`${word}\``))).toEqual([])
})
