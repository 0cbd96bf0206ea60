import * as fc from 'fast-check'
import { addDays } from '@digger/core'
import { background } from '@digger/database'
import { describe, expect, test } from 'vitest'
import { byDays, inPages, isWithin, PAGE_ROWS } from './pages.ts'

const collect = async <Row>(pages: AsyncGenerator<Row[]>): Promise<Row[][]> => {
  const all: Row[][] = []
  for await (const page of pages) all.push(page)
  return all
}

describe('rows in pages', () => {
  test.each([0, 1, PAGE_ROWS - 1, PAGE_ROWS, PAGE_ROWS + 1, 3 * PAGE_ROWS])('%i of them, each once', async (count) => {
    const asked: (number | null)[] = []
    const pages = await collect(
      inPages<number>(async (after) => {
        asked.push(after)
        const from = after === null ? 0 : after + 1
        return Array.from({ length: Math.min(PAGE_ROWS, count - from) }, (_, n) => from + n)
      }),
    )
    expect(pages.flat()).toEqual(Array.from({ length: count }, (_, n) => n))
    expect(pages.every((page) => page.length > 0 && page.length <= PAGE_ROWS)).toBe(true)
    expect(asked).toHaveLength(Math.floor(count / PAGE_ROWS) + 1)
  })

  test('what else may wait has its turn between them', async () => {
    const order: string[] = []
    const pages = inPages<number>(async (after) => {
      order.push('page')
      background.run(() => void order.push('screen'))
      return Array.from({ length: after === null ? PAGE_ROWS : 1 }, (_, n) => n)
    })
    await collect(pages)
    expect(order.slice(0, 3)).toEqual(['page', 'screen', 'page'])
  })
})

describe('rows by days', () => {
  const days = fc.uniqueArray(
    fc.nat(900).map((n) => addDays('20240101', n)),
    { maxLength: 60 },
  )
  const bound = fc.option(fc.nat(900).map((n) => addDays('20240101', n)))
  test('newest window first, each day of the range once, however they lie', () =>
    fc.assert(
      fc.asyncProperty(days, bound, bound, fc.integer({ min: 1, max: 40 }), async (given, from, to, length) => {
        const known = given.toSorted()
        const windows: string[][] = []
        const pages = await collect(
          byDays(
            { from, to, length, lastDay: async (until) => known.findLast((day) => day <= until) ?? null },
            async (begin, end) => {
              windows.push([begin, end])
              return known.filter((day) => day >= begin && day <= end).toReversed()
            },
          ),
        )
        expect(pages.flat()).toEqual(known.filter((day) => isWithin(day, { from, to })).toReversed())
        for (const [begin = '', end = ''] of windows) expect(addDays(begin, length) > end).toBe(true)
        expect(windows.length).toBeLessThanOrEqual(known.length)
      }),
    ))
})
