import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@digger/database/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { importAll, linesOf, readArguments } from '../src/import-candles.ts'

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
  await using database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'digger-candles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const head = 'date,code,open,high,low,close,volume'
  const good = join(folder, 'good.csv')
  const wrong = join(folder, 'wrong.csv')
  writeFileSync(good, `${head}\n20260105,005930,70000,70500,69900,70400,1000\n20260106,005930,0,0,0,70400,0\n`)
  writeFileSync(wrong, `${head}\n20260107,000660,70000,70500,69900,70400,1000\n20260107,000660,1,1,1,1,x\n`)
  const { files, how } = readArguments([wrong, good, '--prices', 'adjusted'])
  expect(await importAll(database.db, files, how)).toEqual({
    ok: false,
    lines: [
      'wrong.csv: 틀린 줄이 1개 있어 아무것도 가져오지 않았습니다. 고친 뒤 다시 해 주세요.',
      expect.stringContaining('3번째 줄: volume "x"'),
      'good.csv: 종목 1개의 일봉 1개를 가져왔습니다. 거래가 없던 1줄은 건너뛰었습니다.',
    ],
  })
  expect(await database.db.selectFrom('candle_part').select(['code', 'source', 'part']).execute()).toEqual([
    { code: '005930', source: 'imported', part: '2026' },
  ])
})
