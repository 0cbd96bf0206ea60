import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { testDatabase, TestClock } from '@digger/database/testing'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Histories } from '../src/history.ts'
import { importCandles, type ImportHow } from '../src/import/import-file.ts'
import { type PartKey, writePart } from '../src/parts.ts'
import { addAccount, daysFrom, ME } from './fixture.ts'

const CODE = '005930'
const NOW = Date.parse('2026-11-27T21:00:00+09:00')
const database = await testDatabase()
const { db } = database
await addAccount(db, [CODE, '000020'])
const histories = new Histories(db, new TestClock(NOW))
const folder = mkdtempSync(join(tmpdir(), 'digger-import-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})
beforeEach(() =>
  db
    .deleteFrom('candle_part')
    .execute()
    .then(() => undefined),
)

let files = 0
const take = (text: string, how: Partial<ImportHow> = {}) => {
  const path = join(folder, `${(files += 1)}.csv`)
  writeFileSync(path, text)
  return importCandles(db, path, { prices: 'adjusted', fill: false, ...how }, NOW)
}
const days = async (code = CODE) => {
  const { days: at, close, source, isAdjusted } = await histories.stock(ME, code, { unit: 'day' })
  return { at, close, source, isAdjusted }
}
const rows = () =>
  db
    .selectFrom('candle_part')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()

const HEAD = 'date,code,name,market,open,high,low,close,volume,amount'
const line = (day: string, close: number, code = CODE): string =>
  `${day},${code},삼성전자,KOSPI,${close},${close + 10},${close - 10},${close},1000,70000000`

describe('days of a file', () => {
  test('are kept as they are, by whatever order, with other columns left alone', async () => {
    const found = await take([HEAD, line('20260106', 300), line('20260105', 200), line('20251230', 100)].join('\r\n'))
    expect(found).toEqual({ unit: 'day', codes: 1, candles: 3, untraded: 0, problems: [], problemCount: 0 })
    expect(await days()).toEqual({
      at: ['20251230', '20260105', '20260106'],
      close: [100, 200, 300],
      source: 'imported',
      isAdjusted: true,
    })
  })

  test('may be packed, have a mark of UTF-8 in front, dashes in their dates and capitals in their columns', async () => {
    const path = join(folder, 'packed.csv.gz')
    writeFileSync(path, gzipSync(`\uFEFF${HEAD.toUpperCase()}\n${line('2026-01-05', 200)}\n\n`))
    expect(await importCandles(db, path, { prices: 'traded', fill: false }, NOW)).toMatchObject({
      candles: 1,
      problems: [],
    })
    expect(await days()).toMatchObject({ at: ['20260105'], isAdjusted: false })
  })

  test('without trading are passed over', async () => {
    const found = await take(`${HEAD}\n20260105,${CODE},삼성전자,KOSPI,0,0,0,70000,0,0\n${line('20260106', 300)}`)
    expect(found).toMatchObject({ candles: 1, untraded: 1, problems: [] })
  })

  test('go before the broker’s, or behind them with fill', async () => {
    const broker: PartKey = { code: CODE, unit: 'day', source: 'broker', generation: 0, part: '2026' }
    await writePart(db, broker, daysFrom('20260105', [500, 501]), true)
    await take(`${HEAD}\n${line('20260104', 20)}\n${line('20260105', 21)}`, { fill: true })
    expect((await days()).close).toEqual([20, 500, 501])
    await take(`${HEAD}\n${line('20260106', 30)}`)
    expect((await days()).close).toEqual([20, 500, 30])
  })

  test('replace those of an earlier file, also of the other kind of prices', async () => {
    await take(`${HEAD}\n${line('20260105', 200)}\n${line('20260106', 300)}`, { prices: 'traded' })
    await take(`${HEAD}\n${line('20260106', 333)}`, { prices: 'adjusted' })
    expect((await days()).close).toEqual([200, 333])
    await take(`${HEAD}\n${line('20260106', 444)}`, { prices: 'traded' })
    expect((await days()).close).toEqual([200, 444])
    expect((await rows()).count).toBe(1)
  })
})

describe('minutes of a file', () => {
  test('are kept by day, with their times', async () => {
    const text = `date,time,code,open,high,low,close,volume\n20260105,09:01,${CODE},2,3,1,2,10\n20260105,090000,${CODE},1,2,1,2,5\n20260106,1530,${CODE},5,5,5,5,1`
    expect(await take(text)).toMatchObject({ unit: 'minute', candles: 3 })
    const found = await histories.stock(ME, CODE, { unit: 'minute' })
    expect(found.days).toEqual(['20260105', '20260105', '20260106'])
    expect(found.times).toEqual(['090000', '090100', '153000'])
    expect(found.volume).toEqual([5, 10, 1])
  })
})

describe('nothing half', () => {
  test.each([
    ['a date that is none', line('20260230', 200), '달력에 없는 날짜'],
    ['a day to come', line('20261128', 200), '아직 오지 않은 날'],
    ['a code that is none', line('20260107', 200, '5930'), '종목코드가 아닙니다'],
    ['a price with a fraction', line('20260107', 200).replace(',200,', ',200.5,'), '0 이상의 정수'],
    ['a price with thousands', line('20260107', 200).replace(',200,', ',"1,200",'), '0 이상의 정수'],
    ['a price that is missing', `20260107,${CODE},삼성전자,KOSPI,200,210,190`, '0 이상의 정수'],
    ['a close above the high', line('20260107', 200).replace(',210,', ',150,'), '저가와 고가 사이'],
    ['a price of nothing', `20260107,${CODE},삼성전자,KOSPI,200,210,0,200,10,1`, '값이 0인 가격'],
    ['a day twice', line('20260106', 300), '앞에 이미 있습니다'],
  ])('%s is named with its line, and none of the file is kept', async (_name, wrong, what) => {
    const found = await take(
      [HEAD, line('20260105', 200), line('20260106', 300), wrong, line('20260108', 400)].join('\n'),
    )
    expect(found.problemCount).toBe(1)
    expect(found.problems).toEqual([expect.stringMatching(new RegExp(`^4번째 줄: .*${what}`))])
    expect((await rows()).count).toBe(0)
  })

  test('columns that are missing are named', async () => {
    expect((await take('date,code,open,high,low,close\n')).problems[0]).toContain('volume 열이 없습니다')
    expect((await take('')).problems[0]).toContain('비어 있습니다')
    expect(
      (await take(`date,time,code,open,high,low,close,volume\n20260105,2500,${CODE},1,1,1,1,1`)).problems[0],
    ).toContain('시각이 아닙니다')
  })

  test('of many wrong lines twenty are named and all are counted', async () => {
    const wrong = Array.from({ length: 50 }, () => line('20260230', 1))
    const found = await take([HEAD, ...wrong].join('\n'))
    expect([found.problems.length, found.problemCount]).toEqual([20, 50])
  })

  test('a file that is cut off is refused', async () => {
    const path = join(folder, 'cut.csv.gz')
    writeFileSync(path, gzipSync(`${HEAD}\n${line('20260105', 200)}\n`.repeat(1_000)).subarray(0, 60))
    await expect(importCandles(db, path, { prices: 'traded', fill: false }, NOW)).rejects.toThrow(
      'unexpected end of file',
    )
    expect((await rows()).count).toBe(0)
  })
})
