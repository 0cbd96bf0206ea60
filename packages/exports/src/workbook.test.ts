import * as fc from 'fast-check'
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import type { Cell } from './table.ts'
import { type Sheet, sheetOf, writeWorkbook } from './workbook.ts'

const read = async (sheets: readonly Sheet[]) => readXlsxFile(await writeWorkbook(sheets), { trim: false })
const sheet = (name: string, rows: readonly (readonly Cell[])[], notes: readonly string[] = []): Sheet => ({
  name,
  headings: ['종목', '손익'],
  rows,
  notes,
})

describe('a workbook', () => {
  test('has its sheets in their order, headings first, sentences below', async () => {
    const written = [sheet('요약', [['합계', -5]], ['금액은 원입니다.']), sheet('실현손익', [])]
    expect(await read(written)).toEqual([
      {
        sheet: '요약',
        data: [
          ['종목', '손익'],
          ['합계', -5],
          [null, null],
          ['금액은 원입니다.', null],
        ],
      },
      { sheet: '실현손익', data: [['종목', '손익']] },
    ])
  })

  test('columns say what stands in a row', async () => {
    const columns = [
      { heading: '코드', cell: ({ code }: { code: string }) => code },
      { heading: '길이', cell: ({ code }: { code: string }) => code.length },
    ]
    const [first] = await read([sheetOf('표', columns, [{ code: '005930' }])])
    expect(first?.data).toEqual([
      ['코드', '길이'],
      ['005930', 6],
    ])
  })

  test('of more rows than a page has all of them', async () => {
    const rows = Array.from({ length: 1_234 }, (_, n): Cell[] => [String(n).padStart(6, '0'), n])
    const [first] = await read([sheet('많음', rows)])
    expect(first?.data.slice(1)).toEqual(rows)
  })

  test('that cannot be made says so', async () => {
    const broken: Iterable<Cell[]> = {
      *[Symbol.iterator]() {
        yield ['a', 1]
        throw new Error('no such row')
      },
    }
    await expect(writeWorkbook([{ ...sheet('깨짐', []), rows: broken }])).rejects.toThrow('no such row')
    // Excel refuses two sheets of one name, and so does the library or its reader: nothing half-made comes out.
    await expect(writeWorkbook([sheet('a/b', [])])).rejects.toThrow(/sheet/i)
  })
})

/** XML has no way to write the rest, or advises against it; the library leaves it out. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((one) => !/[\p{Cc}\p{Noncharacter_Code_Point}\uFFFD]/u.test(one) && one.trim() !== '')
const signs = fc.constantFrom('=1+1', '@a', '+1', '-3%', '<b>&"\'</b>', '005930', '1e5', 'TRUE', '2026-01-02 09:00:00')

const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  // A file has one zero.
  .map((one) => (one === 0 ? 0 : one))

test('what is written is read back equal by another program: numbers as numbers, text as text, never a formula', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.oneof(text, signs), number), { minLength: 100, maxLength: 600, size: 'max' }),
      async (rows) => {
        const [first] = await read([sheet('표', rows)])
        expect(first?.data.slice(1).map(([one, amount]) => [String(one).trimEnd(), amount])).toEqual(
          rows.map(([one, amount]) => [one.trimEnd(), amount]),
        )
      },
    ),
    // Each run starts a thread: a failure is shown as it was found.
    { numRuns: 5, endOnFailure: true },
  ))

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  'the text %s, a name that every object has, breaks no file',
  async (name) => expect((await read([sheet('표', [[name, 1]])]))[0]?.data[1]).toEqual([`${name} `, 1]),
)
