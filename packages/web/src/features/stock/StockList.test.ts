import { expect, test } from 'vitest'
import { columnsIn } from './StockList.tsx'

test('cards stand in as many columns as fit: 340 px each, 10 px between, one to three', () => {
  expect([320, 689, 690, 1039, 1040, 2000].map(columnsIn)).toEqual([1, 1, 2, 2, 3, 3])
})
