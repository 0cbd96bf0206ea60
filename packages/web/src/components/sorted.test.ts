import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sorted, type Sortable } from './sorted.ts'

const by = (value: Sortable) => value

test('names in the Korean order, figures by size, and what is not known last either way', () => {
  expect(sorted(['현대차', '삼성전자', 'NAVER', '가온'], by, false)).toEqual(['가온', '삼성전자', '현대차', 'NAVER'])
  expect(sorted([3, null, -1, 20], by, false)).toEqual([-1, 3, 20, null])
  expect(sorted([3, null, -1, 20], by, true)).toEqual([20, 3, -1, null])
})

test('equals stay as they were, in both directions', () => {
  const rows = fc.array(fc.record({ at: fc.nat(3), value: fc.option(fc.nat(2)) }), { maxLength: 12 })
  fc.assert(
    fc.property(rows, fc.boolean(), (list, descending) => {
      const numbered = list.map((row, place) => ({ ...row, place }))
      const result = sorted(numbered, ({ value }) => value, descending)
      expect(result).toHaveLength(list.length)
      for (const [index, row] of result.entries()) {
        const next = result[index + 1]
        if (next === undefined || next.value !== row.value) continue
        expect(row.place).toBeLessThan(next.place)
      }
    }),
  )
})
