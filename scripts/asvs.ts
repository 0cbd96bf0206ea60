import { isTest, type SourceFile } from './architecture.ts'

/** What a row may say of its requirement. */
export const VERDICTS = ['met', 'partly', 'not met', 'not ours'] as const
type Verdict = (typeof VERDICTS)[number]

interface Row {
  readonly id: string
  readonly level: string
  readonly about: string
  readonly verdict: string
  readonly reason: string
  /** Files and tests, as they are named in `…`. */
  readonly where: readonly string[]
}

interface Table {
  /** `docs/asvs.md`. */
  readonly page: string
  /** One requirement a line: its id and its level. */
  readonly ids: string
  readonly exists: (path: string) => boolean
}

const MIN_REASON_WORDS = 3
const ROW = /^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm
const TOTAL = /^\| (met|partly|not met|not ours|all) \| (\d+) \| (\d+) \| (\d+) \|$/gm
const PATH = /`([\w.-]+(?:\/[\w.-]+)+|[\w.-]+\.(?:ts|mjs|json|md))`/g

/** What is wrong with the table; nothing where it is whole and says what is so. */
export function problemsOfTable({ page, ids, exists }: Table): string[] {
  const rows = rowsOf(page)
  return [
    ...problemsOfIds(rows, ids),
    ...rows.flatMap((row) => problemsOfRow(row, exists)),
    ...problemsOfTotals(page, rows),
  ]
}

const rowsOf = (page: string): Row[] =>
  [...page.matchAll(ROW)].map(([, id = '', level = '', about = '', verdict = '', last = '']) => ({
    id,
    level,
    about: about.trim(),
    verdict: verdict.trim(),
    reason: last
      .replaceAll(PATH, ' ')
      .replaceAll(/[\s,·]+/g, ' ')
      .trim(),
    where: [...last.matchAll(PATH)].map(([, path = '']) => path),
  }))

/** Files that a page names and that are gone, whether it has tables or not. */
export const goneFrom = (page: string, exists: Table['exists']): string[] =>
  [...page.matchAll(PATH)].map(([, path = '']) => path).filter((path) => !exists(path))

function problemsOfIds(rows: readonly Row[], ids: string): string[] {
  const wanted = ids.trimEnd().split('\n')
  const given = rows.map(({ id, level }) => `${id} ${level}`)
  return [
    ...wanted.filter((one) => !given.includes(one)).map((one) => `${one}: is missing`),
    ...given.filter((one) => !wanted.includes(one)).map((one) => `${one}: is no requirement of this level`),
    ...given.filter((one, at) => given.indexOf(one) !== at).map((one) => `${one}: is there twice`),
  ]
}

function problemsOfRow({ id, verdict, reason, where }: Row, exists: (path: string) => boolean): string[] {
  const gone = where.filter((path) => !exists(path)).map((path) => `${id}: names ${path}, which does not exist`)
  if (!VERDICTS.some((one) => one === verdict)) return [`${id}: ${verdict} is no verdict`, ...gone]
  if (verdict === 'met') return where.length > 0 ? gone : [`${id}: names no file or test that shows it`]
  const words = reason.split(' ').filter((word) => /\p{L}/u.test(word))
  return words.length >= MIN_REASON_WORDS ? gone : [`${id}: ${verdict}, and does not say why`, ...gone]
}

function problemsOfTotals(page: string, rows: readonly Row[]): string[] {
  const written = new Map([...page.matchAll(TOTAL)].map(([, name = '', ...counts]) => [name, counts.join(' ')]))
  return [...VERDICTS, 'all' as const].flatMap((name) => {
    const counted = countOf(rows, name)
    return written.get(name) === counted
      ? []
      : [`${name}: the page says ${written.get(name) ?? 'nothing'}, there are ${counted}`]
  })
}

function countOf(rows: readonly Row[], name: Verdict | 'all'): string {
  const these = rows.filter(({ verdict }) => name === 'all' || verdict === name)
  const ofLevel = (level: string) => these.filter((row) => row.level === level).length
  return [ofLevel('1'), ofLevel('2'), these.length].join(' ')
}

interface Danger {
  readonly name: string
  readonly pattern: RegExp
  /** Files where it is meant. */
  readonly except: readonly string[]
}

/** What rows say of all the code at once. */
const DANGERS: readonly Danger[] = [
  { name: 'runs text as code', pattern: /\beval\(|\bnew Function\(|node:vm'/, except: [] },
  {
    name: 'puts text in a page as HTML',
    pattern: /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|document\.write/,
    except: [],
  },
  { name: 'makes SQL of text', pattern: /\bsql\.raw\b|\bsql\.lit\b/, except: [] },
  { name: 'starts another program', pattern: /node:child_process'/, except: ['apps/digger/src/daily-backup.ts'] },
  { name: 'believes any certificate', pattern: /rejectUnauthorized: false|NODE_TLS_REJECT/, except: [] },
  { name: 'allows old TLS or a lenient HTTP parser', pattern: /minVersion|insecureHTTPParser/, except: [] },
  // Accounts are spread over shards by it; nothing rests on it.
  {
    name: 'hashes with what is broken',
    pattern: /createHash\('(?:md5|sha1)'/,
    except: ['packages/database/src/shards.ts'],
  },
  // The broker's own form of its notices.
  {
    name: 'encrypts without authentication',
    pattern: /-(?:cbc|ecb|ctr|cfb|ofb)'/,
    except: ['packages/kis/src/decode/notice.ts', 'packages/kis-sim/src/socket/frames.ts'],
  },
  { name: 'encrypts by the padding that leaks', pattern: /RSA_PKCS1_PADDING|publicEncrypt/, except: [] },
  // Only how long it is until the next try.
  {
    name: 'takes chance that can be foreseen',
    pattern: /Math\.random/,
    except: ['packages/kis/src/socket/back-off.ts', 'packages/kis/src/transport/calls.ts'],
  },
]

const RUNS = /^(?:packages|apps)\/[\w-]+\/(?:src|worker)\//

/** Where the code of the product does what the table says it nowhere does. */
export const dangersIn = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => RUNS.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      DANGERS.filter(({ pattern, except }) => pattern.test(text) && !except.includes(path)).map(
        ({ name }) => `${path}: ${name}`,
      ),
    )
