import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { placeName, type Box } from './names.ts'

const frame = { left: 0, top: 0, width: 100, height: 100 }
const size = { width: 20, height: 10 }
const stick = (left: number, top: number, height: number): Box => ({ left, top, width: 0, height })

test.each([
  ['nothing in the way: left, above the line', 50, [], [], { left: 0, top: 38 }],
  ['too near the top: below the line', 5, [], [], { left: 0, top: 7 }],
  ['a candle above the line on the left: below it', 50, [stick(5, 30, 15)], [], { left: 0, top: 52 }],
  [
    'candles through the line on the left: further right',
    50,
    [stick(5, 30, 40), stick(12, 30, 40)],
    [],
    { left: 15, top: 38 },
  ],
  ['another name in its place: below', 50, [], [{ left: 0, top: 38, width: 20, height: 10 }], { left: 0, top: 52 }],
])('%s', (_name, y, sticks, taken, place) => {
  expect(placeName(frame, y, size, { sticks, taken })).toEqual({ ...place, ...size })
})

test('candles everywhere: where they hide least', () => {
  const sticks = Array.from({ length: 101 }, (_, x) => stick(x, x > 60 && x < 70 ? 60 : 0, 100))
  expect(placeName(frame, 50, size, { sticks, taken: [] })?.left).toBeGreaterThan(40)
})

test('no room beside other names: no name', () => {
  expect(placeName(frame, 50, size, { sticks: [], taken: [frame] })).toBeNull()
})

test('names stay inside the picture and off each other, whatever the lines', () => {
  assert(
    property(array(integer({ min: 0, max: 100 }), { maxLength: 12 }), (lines) => {
      const taken: Box[] = []
      for (const y of lines) {
        const box = placeName(frame, y, size, { sticks: [], taken })
        if (box === null) continue
        expect(box.left >= 0 && box.left + box.width <= 100 && box.top >= 0 && box.top + box.height <= 100).toBe(true)
        for (const other of taken)
          expect(Math.abs(box.left - other.left) > 20 || Math.abs(box.top - other.top) > 10).toBe(true)
        taken.push(box)
      }
    }),
  )
})
