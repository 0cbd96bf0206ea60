import { expect, test } from 'vitest'
import { columnsIn, widthInside } from './StockList.tsx'

test('cards stand in as many columns as fit: 340 px each, 10 px between, one to three', () => {
  expect([320, 689, 690, 1039, 1040, 2000].map(columnsIn)).toEqual([1, 1, 2, 2, 3, 3])
})

test('the first drawing has the columns that the window will have: below the rail, beside it, and where the page ends', () => {
  expect([320, 390, 800, 1279, 1280, 1440, 1920].map((width) => columnsIn(widthInside(width)))).toEqual([
    1, 1, 2, 3, 2, 3, 3,
  ])
})
