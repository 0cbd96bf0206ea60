import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@digger/database'
import { testPlace } from '@digger/database/testing'
import { describe, expect, test } from 'vitest'
import { linesOf, readArguments } from '../src/import-candles.ts'

const PROGRAM = join(import.meta.dirname, '../src/import-candles.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env

interface Ended {
  readonly code: number | string | null | undefined
  readonly output: string
}

/** Runs the command as an operator does. */
const run = (env: Readonly<Record<string, string | undefined>>, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { PATH, NODE_COMPILE_CACHE, ...env } }
    execFile(process.execPath, ['--no-warnings', PROGRAM, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: `${stdout}${stderr}`.trim() }),
    )
  })

describe('arguments', () => {
  test('say whose prices, and whether only gaps are filled', () => {
    expect(readArguments(['a.csv', 'b.csv.gz', '--prices', 'traded'])).toEqual({
      files: ['a.csv', 'b.csv.gz'],
      how: { prices: 'traded', fill: false },
    })
    expect(readArguments(['--fill', '--prices', 'adjusted', 'a.csv']).how).toEqual({ prices: 'adjusted', fill: true })
  })
  test.each([
    [[]],
    [['a.csv']],
    [['--prices', 'traded']],
    [['a.csv', '--prices', 'raw']],
    [['a.csv', '--price', 'traded']],
  ])('%j: says how it is used', (args) => expect(() => readArguments(args)).toThrow('쓰는 법: npm run candles:import'))
})

test('what is wrong is said line by line, and how many more there are', () => {
  const found = {
    unit: 'day',
    codes: 1,
    candles: 0,
    untraded: 0,
    problems: ['3번째 줄: 없는 날'],
    problemCount: 1_500,
  } as const
  expect(linesOf('a.csv', found)).toEqual([
    'a.csv: 틀린 줄이 1,500개 있어 아무것도 가져오지 않았습니다. 고친 뒤 다시 해 주세요.',
    '  3번째 줄: 없는 날',
    '  그 밖에 1,499줄',
  ])
})

test('files are imported one by one, and a wrong one keeps out none of the others', async () => {
  await using place = await testPlace()
  const { DATA_DIR, DATABASE_URL } = place.config
  const head = 'date,code,open,high,low,close,volume'
  const good = join(DATA_DIR, 'good.csv')
  const wrong = join(DATA_DIR, 'wrong.csv')
  writeFileSync(good, `${head}\n20260105,005930,70000,70500,69900,70400,1000\n20260106,005930,0,0,0,70400,0\n`)
  writeFileSync(wrong, `${head}\n20260107,000660,70000,70500,69900,70400,1000\n20260107,000660,1,1,1,1,x\n`)
  const { code, output } = await run({ DATA_DIR, DATABASE_URL }, wrong, good, '--prices', 'adjusted')
  expect(output.split('\n')).toEqual([
    'wrong.csv: 틀린 줄이 1개 있어 아무것도 가져오지 않았습니다. 고친 뒤 다시 해 주세요.',
    expect.stringContaining('3번째 줄: volume "x"'),
    'good.csv: 종목 1개의 일봉 1개를 가져왔습니다. 거래가 없던 1줄은 건너뛰었습니다.',
  ])
  expect(code).toBe(1)
  const database = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR })
  expect(await database.db.selectFrom('candle_part').select(['code', 'source', 'part']).execute()).toEqual([
    { code: '005930', source: 'imported', part: '2026' },
  ])
  await database.close()
}, 120_000)
